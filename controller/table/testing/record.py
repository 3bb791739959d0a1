"""Test mode, while it is on: who tests, what lies where, which lamps are looked at, what was touched."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, get_args

from drivers.protocol.codes import KEYS, LAMPS, Lamp

Pattern = Literal[
    "none", "off", "open", "no bets", "latched", "win", "jackpot", "fault", "walk", "single"
]  # fmt: skip
"""What all lamps show: one pattern; each pattern in turn (`walk`); one lamp after the other (`single`)."""
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
ECHOED = 20

_STEPS: Mapping[str, int] = {"walk": len(Lamp), "single": LAMPS}
_STILL: Mapping[str, Lamp] = {lamp.name.lower().replace("_", " "): lamp for lamp in Lamp}


@dataclass(frozen=True, slots=True)
class Lying:
    """Chips that the sensors see on a spot; `cents` 0: they can't tell how much."""

    seat: int
    spot: int
    cents: int


@dataclass(frozen=True, slots=True)
class Testing:
    """Each change gives a new one. `since` is in seconds of Unix time."""

    who: str
    since: float
    lies: tuple[Lying, ...] = ()
    """Chips as they lie now, ordered; the table's own are as they were before."""
    pattern: Pattern = "none"
    step: int = 0
    """How far a lamp test has gone that goes on with each key."""
    echo: tuple[str, ...] = ()
    """What was touched, in sentences, newest first; never which card left."""

    @property
    def told(self) -> str:
        """Who, and since when."""
        return f"{self.who} since {datetime.fromtimestamp(self.since, UTC):%Y-%m-%d %H:%M} UTC"

    @property
    def steps(self) -> int:
        """How many pictures the lamp test has."""
        return _STEPS.get(self.pattern, 1)

    @property
    def seen(self) -> str:
        """What the lamps show, in words; empty without a lamp test."""
        if self.pattern == "none":
            return ""
        if self.pattern == "single":
            seat, spot = divmod(self.step, LAMPS // 9)
            return f"seat {seat + 1}, spot {spot}"
        return self._lamp.name.lower().replace("_", " ")

    @property
    def lamps(self) -> bytes:
        """All lamps of a lamp test, codes.Lamp each."""
        if self.pattern != "single":
            return bytes([self._lamp]) * LAMPS
        return bytes(Lamp.WIN if place == self.step else Lamp.OFF for place in range(LAMPS))

    @property
    def key_lamps(self) -> int:
        """The console's keys as a mask: none without a lamp test, one after the other in one that goes on."""
        if self.pattern in {"none", "off"}:
            return 0
        return 1 << self.step % len(KEYS) if self.steps > 1 else (1 << len(KEYS)) - 1

    def show(self, pattern: Pattern) -> "Testing":
        """A lamp test; the same one again goes on to its next picture."""
        if pattern == self.pattern:
            return self.forward()
        return replace(self, pattern=pattern, step=0)

    def forward(self) -> "Testing":
        """The next picture, after the last one the first."""
        return replace(self, step=(self.step + 1) % self.steps)

    def touched(self, what: str) -> "Testing":
        """Somebody touched something."""
        return replace(self, echo=(what, *self.echo)[:ECHOED])

    def lay(self, seat: int, spot: int, cents: int | None) -> "Testing":
        """Chips lie on a spot; None: none do any more."""
        others = (lying for lying in self.lies if (lying.seat, lying.spot) != (seat, spot))
        return replace(self, lies=_ordered((*others, *_lying(seat, spot, cents))))

    @property
    def _lamp(self) -> Lamp:
        return _STILL[self.pattern] if self.pattern in _STILL else list(Lamp)[self.step % len(Lamp)]


def lying(chips: Mapping[tuple[int, int], int]) -> tuple[Lying, ...]:
    """The table's chips, ordered."""
    return _ordered(Lying(seat, spot, cents) for (seat, spot), cents in chips.items())


def _lying(seat: int, spot: int, cents: int | None) -> tuple[Lying, ...]:
    return () if cents is None else (Lying(seat, spot, cents),)


def _ordered(lies: Iterable[Lying]) -> tuple[Lying, ...]:
    return tuple(sorted(lies, key=lambda each: (each.seat, each.spot)))
