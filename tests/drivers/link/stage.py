"""A HostLink with a journal, a device's end, and the cable between them, in virtual time."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any, Protocol, TypeVar

from drivers.link.facts import ActionEnded, Bookmark, EventArrived, EventsLost, Expected, HostEvent, Up
from drivers.link.host import HostLink
from drivers.link.intake import CARDS
from drivers.link.keys import Keys
from drivers.messages import CommandBody
from drivers.protocol.codes import DeviceClass
from tests.drivers.link.puppet import LOG, Puppet
from tests.drivers.link.world import Direction, Faults

SHOE = Expected(DeviceClass.SHOE, "SH-1")
START = 1000.0
KNOWN = {"newest": 9, "committed": 9}
"""The Hello of a device that the journal knows."""
Kind = TypeVar("Kind")


class DeviceEnd(Protocol):
    """A Rig or a Puppet."""

    key: bytes

    def feed(self, data: bytes, now: float) -> Any: ...

    def tick(self, now: float) -> Any: ...

    def take(self, now: float) -> bytes: ...

    def deadline(self, now: float) -> float: ...


@dataclass
class Journal:
    """What is on disk; it outlives the host."""

    log: bytes = b""
    newest: int = 0
    last_key: int = 0
    cards: int = 0
    open_actions: set[int] = field(default_factory=set)
    events: list[EventArrived | EventsLost] = field(default_factory=list)

    def bookmark(self) -> Bookmark:
        actions = tuple(sorted(self.open_actions))
        return Bookmark(self.log, self.newest, self.last_key, self.cards, actions)

    def write(self, event: HostEvent) -> int | None:
        """The number that is on disk now, if any."""
        if isinstance(event, Up):
            self._meet(event)
        if isinstance(event, ActionEnded):
            self.open_actions.discard(event.key)
        if not isinstance(event, EventArrived | EventsLost):
            return None
        self.events.append(event)
        self.newest = event.number if isinstance(event, EventArrived) else event.last
        if isinstance(event, EventArrived) and isinstance(event.body, CARDS):
            self.cards = event.body.count
        return self.newest

    def _meet(self, up: Up) -> None:
        if up.facts.log != self.log:
            self.log, self.newest, self.cards = up.facts.log, up.facts.committed, up.facts.cards


class Stage:
    """Runs a host (made anew by `host_again`) against a device; `seen` is all the host told."""

    def __init__(
        self,
        device: DeviceEnd,
        journal: Journal | None = None,
        *,
        faults: Faults | None = None,
        seed: int = 0,
        disk: float = 0.001,
        expected: Expected = SHOE,
        **link: Any,
    ) -> None:
        self.now = START
        self.device, self.journal = device, journal or Journal()
        self.seen: list[HostEvent] = []
        self.alive = True
        self.disk = disk
        """Seconds until a commit; inf: never."""
        self._flushes: list[tuple[float, int]] = []
        self._expected, self._link_options = expected, link
        self._nonces = random.Random(seed)
        faults = faults or Faults()
        self.down = Direction(faults, random.Random(seed + 1))
        self.up = Direction(faults, random.Random(seed + 2))
        self.keys = Keys()
        self.retry = False
        """Begin anew whenever an attempt is over."""
        self.wanted: dict[type, CommandBody] = {}
        self.host_again()

    def host_again(self, **options: Any) -> HostLink:
        """The controller starts anew on what its journal knows, or tries again."""
        self.keys.pass_over(self.journal.last_key)
        self._flushes.clear()
        self.host = HostLink(
            self._expected,
            self.journal.bookmark(),
            self._nonces.randbytes,
            self.now,
            lambda: self.alive,
            **{"keys": self.keys, "key": self.device.key, **self._link_options, **options},
        )
        self.want(*self.wanted.values())
        return self.host

    def run(self, seconds: float) -> None:
        """Time passes."""
        until = self.now + seconds
        self._write()
        while (soonest := self._soonest()) <= until:
            self.now = max(self.now, soonest)
            self.step()
        self.now = until

    def run_until(self, true: Callable[[], bool], seconds: float = 60.0) -> None:
        """Time passes until it is so. Fails when it does not become so."""
        until = self.now + seconds
        self._write()
        while not true():
            assert self.now <= until, f"not so within {seconds} s; the host told {self.seen}"
            self.now = max(self.now, min(self._soonest(), until + 1))
            self.step()

    def step(self) -> None:
        """What is due at this moment happens."""
        came = self.up.get(self.now)
        told = self.host.feed(came, self.now) if came else []
        self._note([*told, *self.host.tick(self.now)])
        self._commit()
        came = self.down.get(self.now)
        if came:
            self.device.feed(came, self.now)
        self.device.tick(self.now)
        self._write()
        if self.retry and self.host.phase == "over":
            self.host_again()

    def want(self, *records: CommandBody) -> None:
        for record in records:
            self.wanted[type(record)] = record
            self.host.want(record)
        self._write()

    def act(self, record: CommandBody) -> int:
        """Journal a fresh key and have it done."""
        key = self.keys.next()
        self.journal.last_key = key
        self.journal.open_actions.add(key)
        self.host.act(key, record)
        self._write()
        return key

    def reach(self, phase: str = "running", seconds: float = 60.0) -> None:
        """Run until the host is there."""
        self.run_until(lambda: self.host.phase == phase, seconds)

    def told(self, kind: type[Kind]) -> list[Kind]:
        """What the host told of this kind."""
        return [event for event in self.seen if isinstance(event, kind)]

    def _note(self, events: list[HostEvent]) -> None:
        self.seen += events
        for event in events:
            number = self.journal.write(event)
            if number is not None:
                self._flushes.append((self.now + self.disk, number))

    def _commit(self) -> None:
        while self._flushes and self._flushes[0][0] <= self.now:
            self.host.commit(self._flushes.pop(0)[1])

    def _write(self) -> None:
        self.down.put(self.host.take(self.now), self.now)
        self.up.put(self.device.take(self.now), self.now)

    def _soonest(self) -> float:
        flush = self._flushes[0][0] if self._flushes else inf
        ends = (self.host.deadline(self.now), self.device.deadline(self.now))
        return min(*ends, self.up.due(), self.down.due(), flush)


def stage(
    journal: Journal | None = None, hello: dict[str, Any] | None = None, **options: Any
) -> tuple[Stage, Puppet]:
    """A host and a puppet."""
    puppet = Puppet(START, **(hello or {}))
    return Stage(puppet, journal, **options), puppet


def known(**hello: Any) -> tuple[Stage, Puppet]:
    """A host whose journal has the device's nine events and four cards."""
    return stage(Journal(log=LOG, newest=9, cards=4, last_key=20), {**KNOWN, "cards": 4, **hello})
