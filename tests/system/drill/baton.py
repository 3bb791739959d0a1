"""One baton between a table's devices and its daemon, two processes in one virtual time.

Whoever holds the baton runs; whoever passes it on says until when it has nothing to do. So hours of play take
moments, and come out the same each time.
"""

import asyncio
import selectors
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from controller.table.record.events import Decision


@dataclass(frozen=True, slots=True)
class Go:
    """To the daemon: it is `now`, these bytes came. `wall` is what its clock shows, `words` are requests of
    persons, by number; `stop`: it is asked to end. `slow`: seconds that its disk takes for a write."""

    now: float
    wall: float
    came: Mapping[str, bytes]
    unplugged: frozenset[str] = frozenset()
    words: Mapping[int, Decision] = field(default_factory=dict)
    stop: bool = False
    slow: float = 0.0


@dataclass(frozen=True, slots=True)
class Page:
    """What a supervisor sees: why play is suspended, which of these reasons only a person can end (`tasks`),
    the counts of waiting cards, the claims to be settled, by number."""

    phase: str
    suspended: tuple[str, ...]
    tasks: tuple[str, ...]
    waiting: tuple[int, ...]
    claims: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Rest:
    """From the daemon: it sent these bytes and has nothing to do before `deadline`. `answers`: the answers to
    persons, empty: done. `running`: devices that serve. `failed`: why its journal is no longer written;
    empty: it is. `page`: None where it is as before."""

    deadline: float
    sent: Mapping[str, bytes]
    answers: Mapping[int, str]
    running: frozenset[str]
    failed: str
    page: Page | None


@dataclass(frozen=True, slots=True)
class Ended:
    """From the daemon: it closed its journal in order."""


@dataclass(frozen=True, slots=True)
class Moment:
    """From the daemon, which goes on: something is about to be written, or was. `row` and `hash` of the last
    row on disk; `state` as in likeness.py, of the table as it is in memory."""

    label: str
    row: int
    hash: bytes
    state: Any


@dataclass(frozen=True, slots=True)
class Opened:
    """From the daemon, which goes on: it opened its journal. `healed`: what it repaired first."""

    healed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Death:
    """From the daemon: it kills itself now, at the moment with this label."""

    label: str


class Selector(selectors.SelectSelector):
    """What a loop waits with: it passes the baton on instead, and gets it back at another time."""

    def __init__(self, rest: Callable[[float], None]) -> None:
        super().__init__()
        self._rest = rest

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Nothing comes from outside except with the baton."""
        if timeout is None or timeout > 0:
            self._rest(inf if timeout is None else timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """Begins at `now`. `rest` gets the next deadline, and returns the time at which the loop goes on."""

    def __init__(self, now: float, rest: Callable[[float], float]) -> None:
        self._now = now
        self._give = rest
        super().__init__(Selector(self._pass))

    def time(self) -> float:
        """Virtual seconds."""
        return self._now

    def pass_to(self, deadline: float) -> None:
        """Lets others run until then, or until something comes."""
        self._now = self._give(deadline)

    def _pass(self, seconds: float) -> None:
        self.pass_to(self._now + seconds)
