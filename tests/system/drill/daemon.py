"""The daemon's side of a drill: the product's journal, table, supervision and links in a process of its own.

It kills itself with SIGKILL at the moment that it was given.
"""

import asyncio
import hashlib
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NoReturn, cast

from controller.daemon.devices import TSL_DEVICES
from controller.journal.archive import FileCopy
from controller.journal.chain import RowContent
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.journal.trust import Trust
from controller.table.devices import TableDevices
from controller.table.errors import NotAllowed
from controller.table.inbox import Clocks
from controller.table.keepalive import STEP, Keepalive
from controller.table.loop import Table
from controller.table.people.rulings import ruling
from controller.table.record.events import ClaimStep, Decision, Input, Started, Supervisor
from controller.table.recovery import recover
from controller.table.state.table_state import TableState
from controller.table.supervision import Supervision
from drivers.devices.device import Device, DeviceSettings
from drivers.link.facts import Bookmark
from tests.system.drill.baton import Death, Ended, Go, Moment, Opened, Page, Rest, VirtualLoop
from tests.system.drill.likeness import state_of
from tests.system.drill.ports import Port, ports

DRILL_KEY: Final = hashlib.sha256(b"drill").digest()
SIGNER: Final = Signer(DRILL_KEY)
REFUSED: Final = 1
BUG: Final = 2
RECOVERED: Final = "recovered"


@dataclass(frozen=True, slots=True)
class Order:
    """What a daemon is started with. `most`: rows of a file of its journal. `fatal`: the moment, counted from
    0, at which it is killed; -1: none. `aim`: it is killed at the first moment whose label has this word.
    `tells`: each moment is reported with the whole state."""

    journal: Path
    mirror: Path
    most: int
    started: Started
    now: float
    wall: float
    fatal: int = -1
    aim: str = ""
    tells: bool = False


class Moments:
    """Counts the moments at which a daemon could be killed."""

    def __init__(self, line: Connection, order: Order) -> None:
        self._line, self._order = line, order
        self._number = 0
        self.state: Callable[[], TableState | None] = lambda: None

    def come(self, label: str, journal: Journal) -> None:
        """One more moment; nothing happens after the fatal one."""
        if self._number == self._order.fatal or (self._order.aim and self._order.aim in label):
            self._line.send(Death(label))
            os.kill(os.getpid(), signal.SIGKILL)
        self._number += 1
        if self._order.tells:
            self.report(label, journal)

    def report(self, label: str, journal: Journal) -> None:
        """Reports the state."""
        state, head = self.state(), journal.head
        known = state_of(state) if state else None
        self._line.send(Moment(label, head.row if head else 0, head.hash if head else b"", known))


class FatalJournal(Journal):
    """The product's, with a moment before and after everything that it writes."""

    def __init__(self, order: Order, moments: Moments) -> None:
        self._moments = moments
        self.wait: Callable[[], None] = lambda: None
        """The delay of a slow disk."""
        super().__init__(order.journal, order.mirror, SIGNER, most=order.most, trust=Trust(SIGNER.public))

    def commit(self, contents: Sequence[RowContent]) -> None:
        kinds = ", ".join(row.kind for row in contents)
        self._moments.come(f"before {kinds}", self)
        super().commit(contents)
        self.wait()
        self._moments.come(f"after {kinds}", self)

    def copy(self) -> FileCopy:
        self._moments.come("before the copy", self)
        return super().copy()

    def roll(self, rows: Sequence[RowContent]) -> None:
        self._moments.come("before the roll", self)
        super().roll(rows)
        self._moments.come("after the roll", self)

    def close(self) -> None:
        self._moments.come("before the close", self)
        super().close()
        self._moments.come("after the close", self)


class OurBug:
    """The log of a supervision: drops what the drill causes, raises for the rest."""

    def warning(self, event: str, **fields: object) -> None:
        """The drill causes these."""

    def debug(self, event: str, **fields: object) -> None:
        """The drill causes these."""

    def error(self, event: str, **fields: object) -> None:
        """The drill does not cause these."""
        print(event, fields, file=sys.stderr, flush=True)


class Daemon:
    """Assembled like the product's, without a page."""

    def __init__(self, line: Connection, order: Order) -> None:
        self._line, self._order = line, order
        self._wall, self._slow = order.wall, 0.0
        self._changed = True
        self._loop = VirtualLoop(order.now, self._rest)
        self._ports = ports(order.started.devices)
        self._devices: dict[str, Device] = {}
        self._answers: dict[int, str] = {}
        self._stop = asyncio.Event()
        self._talks: set[asyncio.Task[None]] = set()
        self._table: Table | None = None
        self._keepalive = Keepalive(self._loop.time)

    def run(self) -> None:
        """Until it is asked to end, or killed. Raises JournalError when the journal cannot be used."""
        moments = Moments(self._line, self._order)
        with FatalJournal(self._order, moments) as journal:
            self._line.send(Opened(journal.healed))
            journal.wait = self._wait
            state = recover(journal, self._order.started)
            moments.state = lambda: state
            moments.report(RECOVERED, journal)
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._serve(journal, state))
        self._line.send(Ended())

    async def _serve(self, journal: Journal, state: TableState) -> None:
        self._devices = devices = {name: self._device(name, port) for name, port in self._ports.items()}
        supervision = Supervision(devices, self._deliver, OurBug(), clock=self._loop.time)
        fixtures = TableDevices(**cast("dict[str, Any]", devices))
        clocks = Clocks(lambda: self._wall, self._loop.time)
        self._keepalive = Keepalive(self._loop.time, [*devices.values()])
        self._table = table = Table(
            journal,
            state,
            fixtures,
            clocks,
            renew_session=supervision.renew,
            on_change=self._change,
            keepalive=self._keepalive,
        )
        table.begin(self._order.started)
        parts = [asyncio.create_task(supervision.run()), asyncio.create_task(table.run())]
        await self._stop.wait()
        for part in parts:
            part.cancel()
            await asyncio.wait({part})

    def _device(self, name: str, port: Port) -> Device:
        settings = DeviceSettings(port.name, self._order.started.devices[name])
        return TSL_DEVICES[name](
            name,
            settings,
            partial(self._bookmark, name),
            self._deliver,
            clock=self._loop.time,
            alive=self._alive,
            open_transport=port.open,
        )

    def _bookmark(self, name: str) -> Bookmark:
        return self._up().state.devices[name].bookmark()

    def _alive(self) -> bool:
        return self._keepalive.alive()

    def _up(self) -> Table:
        assert self._table is not None
        return self._table

    def _deliver(self, event: Input) -> None:
        self._up().inbox.put(event)

    def _rest(self, deadline: float) -> float:
        failed = str(self._table.failed or "") if self._table else ""
        sent = {name: data for name, port in self._ports.items() if (data := port.collect())}
        answers, self._answers = self._answers, {}
        running = frozenset(name for name, device in self._devices.items() if device.state == "running")
        page, self._changed = self._page() if self._changed else None, False
        self._line.send(Rest(deadline, sent, answers, running, failed, page))
        go: Go = self._line.recv()
        self._wall, self._slow = go.wall, go.slow
        for name, port in self._ports.items():
            port.carry(go.came.get(name, b""), plugged=name not in go.unplugged)
        if not self._loop.is_closed():  # the last row is written after it
            self._loop.call_soon(self._take, go)
        return go.now

    def _wait(self) -> None:
        """The loop waits for its disk while the links are served as by the thread that does it."""
        until = self._loop.time() + self._slow
        while (now := self._loop.time()) < until:
            self._loop.pass_to(min(now + STEP, until))
            self._keepalive.serve_links()

    def _page(self) -> Page | None:
        if self._table is None:
            return None
        state = self._table.state
        waiting = tuple(stray.count for stray in state.unplaced)
        claims = {claim.number: claim.state for claim in state.register.open}
        tasks = tuple(reason.text for reason in ruling(state).reasons if not reason.passes)
        return Page(state.round.phase, state.suspension.reasons, tasks, waiting, claims)

    def _change(self) -> None:
        self._changed = True

    def _take(self, go: Go) -> None:
        for number, word in go.words.items():
            talk = self._loop.create_task(self._answer(number, word))
            self._talks.add(talk)
            talk.add_done_callback(self._talks.discard)
        if go.stop:
            self._stop.set()

    async def _answer(self, number: int, word: Decision) -> None:
        """Takes a decision after its preview, as everybody has to."""
        try:
            if isinstance(word, Supervisor | ClaimStep):
                word = replace(word, token=self._up().preview(word).token)
            await self._up().decide(word)
            self._answers[number] = ""
        except NotAllowed as error:
            self._answers[number] = str(error)


def serve(line: Connection, order: Order) -> NoReturn:
    """The whole life of the process. Exit status 0 in order, REFUSED when the journal cannot be used, BUG and
    a trace otherwise."""
    status = BUG
    try:
        Daemon(line, order).run()
        status = 0
    except JournalError as error:
        print(error, file=sys.stderr, flush=True)
        status = REFUSED
    except Exception:
        traceback.print_exc()
        raise
    finally:
        os._exit(status)  # everything above belongs to the parent of this fork
