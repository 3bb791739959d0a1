"""A table in virtual time: five simulated devices here, the daemon in a process that may be killed.

Only the daemon is killed: devices, chips, cards and cables are here and outlive it.
"""

import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, Final

from controller.table.record.events import Decision, Started
from drivers.sim.cable import Faults
from drivers.sim.kinds import Settings
from drivers.sim.link.memory import Memory
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import Response
from drivers.sim.run import die_with_parent
from drivers.sim.unit import Unit
from tests.system.drill.baton import Death, Ended, Go, Moment, Opened, Page, Rest
from tests.system.drill.daemon import REFUSED, Order, serve

KINDS: Final = ("shoe", "shuffler", "sensors", "display", "console")
SERIALS: Final = {kind: f"SIM-{kind.upper()}" for kind in KINDS}
ROWS_A_FILE: Final = 60
"""Rows of a file in a drill: it is closed into the archive in the middle of a play."""
MIDNIGHT: Final = 1_700_000_000.0
"""What the daemon's wall clock showed when the drill began."""
SHORT_WHILE: Final = 0.01
LONGEST_END: Final = 60.0
"""Seconds in which a daemon ends on request."""
SMALLEST_STEP: Final = 1e-6


class DrillError(Exception):
    """A daemon ended although nobody killed it, or refused to start."""


@dataclass(slots=True)
class Part:
    """A simulated device; what it keeps without power is kept here."""

    settings: Settings
    memory: Memory
    around: PhysicalState
    random: Random
    unit: Unit

    @classmethod
    def build(cls, settings: Settings, faults: Faults) -> "Part":
        """A device that was never on."""
        random = Random(f"{settings.seed}/{settings.kind}")
        memory, around = Memory(), PhysicalState()
        return cls(settings, memory, around, random, _unit(settings, memory, around, random, faults, 0.0))

    def exchange(self, now: float, faults: Faults) -> None:
        """Its process was killed, and a new one takes over its memory."""
        self.unit = _unit(self.settings, self.memory, self.around, self.random, faults, now)


class World:
    """A table, `journal` in its own folder, its devices as in `settings`, its cables with `faults`."""

    def __init__(
        self,
        journal: Path,
        started: Started,
        settings: Settings,
        faults: Faults | None = None,
        most: int = ROWS_A_FILE,
    ) -> None:
        self.now, self.ahead = 0.0, 0.0
        self.lives: list[list[Moment]] = []
        """The moments that each daemon reported."""
        self.deaths: list[str] = []
        """The moments at which daemons were killed."""
        self.healed: list[str] = []
        """What daemons repaired when they opened the journal."""
        self.answers: dict[int, str] = {}
        self.running: frozenset[str] = frozenset()
        """Devices that serve the running daemon."""
        self.failed = ""
        """Why the running daemon's journal is no longer written."""
        self.page: Page | None = None
        """As the running daemon shows it."""
        self.notice: Callable[[str, Mapping[str, Any]], None] = lambda _kind, _notice: None
        """Called with each notice of a device."""
        self.act: Callable[[], None] = lambda: None
        """Somebody at the table acts, at the time that is `due`."""
        self.due = inf
        self.slow = 0.0
        """Seconds that the disk takes for a write."""
        self.ill = False
        """Whether the disk is failing; a daemon may end by itself."""
        self._journal, self._started, self._most = journal, started, most
        (journal.parent / "mirror").mkdir()
        self._faults = faults or Faults()
        self.parts = {
            kind: Part.build(replace(settings, kind=kind, serial=SERIALS[kind]), self._faults)
            for kind in KINDS
        }
        self._line: Connection | None = None
        self._pid = 0
        self._deadline, self._frozen = inf, False
        self._words: dict[int, Decision] = {}
        self._number = 0
        self._held: dict[str, bytes] = {}
        """Bytes that nobody has read: the daemon does not run."""

    @property
    def alive(self) -> bool:
        """Whether there is a daemon."""
        return self._line is not None

    def start(self, fatal: int = -1, *, aim: str = "", tells: bool = False) -> None:
        """A daemon starts on the journal; one that cannot raises DrillError once it is run. It is killed at
        the moment that `fatal` or `aim` means, as in Order."""
        assert self._line is None
        wall = MIDNIGHT + self.now + self.ahead
        mirror = self._journal.parent / "mirror" / self._journal.name
        order = Order(self._journal, mirror, self._most, self._started, self.now, wall, fatal, aim, tells)
        self._line, theirs = Pipe()
        self.lives.append([])
        self._pid = os.fork()
        if self._pid == 0:
            self._line.close()
            die_with_parent()
            serve(theirs, order)
        theirs.close()
        self._deadline, self.failed, self._frozen = self.now, "", False
        self._words.clear()
        self._held = {}
        self._hear()

    def kill(self) -> None:
        if self.alive:
            os.kill(self._pid, signal.SIGKILL)
            self._buried()

    def stop(self) -> None:
        """Ends it as a service manager does; returns when it ended, or was killed on its way."""
        if self._line is not None:
            self._give(stop=True)
            until = self.now + LONGEST_END
            while self.alive:
                self.run(SHORT_WHILE)
                if self.now > until:
                    raise DrillError(f"the daemon did not end within {LONGEST_END:g} s")

    def freeze(self, seconds: float) -> None:
        """The daemon does not run for this long, and does not know it."""
        self._frozen = True
        self.run(seconds)
        self._frozen = False
        self._deadline = self.now

    def exchange(self, kind: str) -> None:
        """`kill -9` of a device's process, and a new one with its memory."""
        self.parts[kind].exchange(self.now, self._faults)

    def configure(self, started: Started) -> None:
        """The configuration of the next daemon."""
        self._started = started

    def lay_cables(self, faults: Faults) -> None:
        """From now on every cable has these faults."""
        self._faults = faults
        for part in self.parts.values():
            part.unit.toward_host.faults = part.unit.toward_device.faults = faults

    def say(self, word: Decision) -> int:
        """A person's request to the daemon; returns the number of the answer."""
        self._number += 1
        self._words[self._number] = word
        self._deadline = self.now
        return self._number

    def ask(self, device: str, do: str, **fields: object) -> Response:
        """A hand's request to a device; raises RequestError."""
        return self.parts[device].unit.ask({"do": do, **fields}, self.now)

    def see(self, kind: str) -> dict[str, Mapping[str, Any]]:
        """The current notice of this name at a device."""
        return {notice["notice"]: notice for notice in self.parts[kind].unit.look()}

    def run(self, seconds: float) -> None:
        """Lets this much time pass; afterwards there may be no daemon."""
        until = self.now + seconds
        while True:
            self._turn()
            step = max(self._next(), self.now + SMALLEST_STEP)
            if step > until:
                break
            self.now = step
        self.now = until

    def close(self) -> None:
        """Leaves no process behind."""
        self.kill()

    def _next(self) -> float:
        daemon = inf if self._frozen or not self.alive else self._deadline
        return min(daemon, self.due, *(part.unit.deadline(self.now) for part in self.parts.values()))

    def _turn(self) -> None:
        """Handles everything that is due now, until nobody has anything more to send."""
        while True:
            came = self._devices()
            due = self._deadline <= self.now or bool(self._words)
            if self.alive and not self._frozen and (came or due):
                self._give(came)
            elif self.alive and came:
                self._held = _joined(self._held, came)
            elif self.due <= self.now:
                self.due = inf
                self.act()
            elif not came:
                return

    def _devices(self) -> dict[str, bytes]:
        came = {}
        for kind, part in self.parts.items():
            part.unit.tick(self.now)
            if data := part.unit.transmit(self.now):
                came[kind] = data
            for notice in part.unit.notices():
                self.notice(kind, notice)
        return came

    def _give(self, came: Mapping[str, bytes] | None = None, *, stop: bool = False) -> None:
        assert self._line is not None
        unplugged = frozenset(kind for kind, part in self.parts.items() if not part.unit.plugged)
        words, self._words = self._words, {}
        held, self._held = _joined(self._held, came or {}), {}
        go = Go(self.now, MIDNIGHT + self.now + self.ahead, held, unplugged, words, stop, self.slow)
        try:
            self._line.send(go)
        except (BrokenPipeError, ConnectionResetError):
            self._buried()
            return
        self._hear()

    def _hear(self) -> None:
        """Until the daemon rests, ends or dies."""
        assert self._line is not None
        try:
            while not isinstance(message := self._line.recv(), Rest | Ended):
                self._note(message)
        except (EOFError, ConnectionResetError):
            self._buried()
            return
        if isinstance(message, Ended):
            self._buried(ended=True)
            return
        self._deadline, self.running, self.failed = message.deadline, message.running, message.failed
        self.page = message.page or self.page
        self.answers.update(message.answers)
        for kind, data in message.sent.items():
            self.parts[kind].unit.receive(data, self.now)

    def _note(self, message: Moment | Opened | Death) -> None:
        if isinstance(message, Moment):
            self.lives[-1].append(message)
        elif isinstance(message, Opened):
            self.healed.extend(message.healed)
        else:
            self.deaths.append(message.label)

    def _buried(self, *, ended: bool = False) -> None:
        """Cleans up after a daemon that is gone."""
        assert self._line is not None
        self._line.close()
        self._line, self._deadline, self.running, self.page = None, inf, frozenset(), None
        _, status = os.waitpid(self._pid, 0)
        how = os.waitstatus_to_exitcode(status)
        if how != (0 if ended else -signal.SIGKILL) and not (self.ill and how == REFUSED):
            raise DrillError(f"the daemon ended by itself: {how}")


def _joined(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> dict[str, bytes]:
    return {kind: one.get(kind, b"") + other.get(kind, b"") for kind in one.keys() | other.keys()}


def _unit(
    settings: Settings, memory: Memory, around: PhysicalState, random: Random, faults: Faults, now: float
) -> Unit:
    return Unit(settings, memory=memory, surroundings=around, random=random.randbytes, now=now, faults=faults)
