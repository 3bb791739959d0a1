"""The state of test mode: who tests, which chips lie where, which lamp test runs, and what was touched."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, get_args

from drivers.protocol.codes import KEYS, LAMPS, MOST_SEATS, SPOTS_PER_SEAT, Lamp

Pattern = Literal["none", "off", "open", "no bets", "latched", "win", "jackpot", "fault", "walk", "single"]
"""What a lamp test shows on all lamps: one pattern; `walk`: each pattern in turn; `single`: one lamp after
the other; `none`: no lamp test."""
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
ECHOED = 20

UNNAMED = tuple(f"spot {place}" for place in range(SPOTS_PER_SEAT))

_STILL_PATTERNS: Mapping[str, Lamp] = {lamp.name.lower().replace("_", " "): lamp for lamp in Lamp}


@dataclass(frozen=True, slots=True)
class LyingChips:
    """Chips that the sensors detect on a spot; `cents` is 0 if the sensors cannot determine the amount."""

    seat: int
    spot: int
    cents: int


@dataclass(frozen=True, slots=True)
class FaultyLamp:
    """The lamp of a spot of the game that does not show what it should."""

    seat: int
    spot: str


@dataclass(frozen=True, slots=True)
class DeviceTest:
    """The test that `who` began at `since`, in seconds of Unix time. It is immutable; each change returns a
    new one."""

    who: str
    since: float
    lies: tuple[LyingChips, ...] = ()
    """The chips on the table now, ordered by seat and spot. The chips in the table's state stay as they were
    before the test."""
    pattern: Pattern = "none"
    step: int = 0
    """The index of the current picture, in a lamp test that has several."""
    echo: tuple[str, ...] = ()
    """The last things that were touched, in sentences, newest first. They do not name cards that left the
    shoe."""
    seats: int = MOST_SEATS
    spots: tuple[str, ...] = UNNAMED
    """The spots of a seat, as the game names them. Other places on the felt have no lamps."""
    faulty_lamps: tuple[FaultyLamp, ...] = ()
    """In the order in which they were reported."""

    @property
    def label(self) -> str:
        """Who tests, and since when."""
        return f"{self.who} since {datetime.fromtimestamp(self.since, UTC):%Y-%m-%d %H:%M} UTC"

    @property
    def steps(self) -> int:
        """How many pictures the lamp test has."""
        if self.pattern == "single":
            return self.seats * len(self.spots)
        return len(Lamp) if self.pattern == "walk" else 1

    @property
    def lamps_text(self) -> str:
        """What the lamps show, in words; empty without a lamp test."""
        if self.pattern == "none":
            return ""
        if self.pattern == "single":
            return self.spot_name(*self._single_spot)
        return self._lamp.name.lower().replace("_", " ")

    @property
    def lamps(self) -> bytes:
        """All lamps of the lamp test, one byte (codes.Lamp) each."""
        if self.pattern != "single":
            return bytes([self._lamp]) * LAMPS
        seat, spot = self._single_spot
        lit = SPOTS_PER_SEAT * (seat - 1) + spot
        return bytes(Lamp.WIN if place == lit else Lamp.OFF for place in range(LAMPS))

    @property
    def key_lamps(self) -> int:
        """The lit keys of the console as a bit mask: one key at each step of a lamp test with several steps;
        no key without a lamp test and while all lamps are off; else all keys."""
        if self.pattern in {"none", "off"}:
            return 0
        return 1 << self.step % len(KEYS) if self.steps > 1 else (1 << len(KEYS)) - 1

    def spot_name(self, seat: int, spot: int) -> str:
        """A spot of a seat in words. A spot that the game does not have is named by its number."""
        return f"seat {seat}, {self.spots[spot] if spot < len(self.spots) else f'spot {spot}'}"

    def with_pattern(self, pattern: Pattern) -> "DeviceTest":
        """The test with this lamp test. If it is already running, it moves on to its next picture."""
        if pattern == self.pattern:
            return self.next_step()
        return replace(self, pattern=pattern, step=0)

    def next_step(self) -> "DeviceTest":
        """The test with the next picture; the first one follows the last."""
        return replace(self, step=(self.step + 1) % self.steps)

    def with_echo(self, what: str) -> "DeviceTest":
        """The test with this sentence first in `echo`, which holds the last ECHOED ones."""
        return replace(self, echo=(what, *self.echo)[:ECHOED])

    def with_lamp(self, seat: int, spot: str, *, works: bool) -> "DeviceTest":
        """The test with this report about a lamp; a later report takes the place of an earlier one."""
        lamp = FaultyLamp(seat, spot)
        others = tuple(known for known in self.faulty_lamps if known != lamp)
        return replace(self, faulty_lamps=others if works else (*others, lamp))

    def with_chips(self, seat: int, spot: int, cents: int | None) -> "DeviceTest":
        """The test with these chips on a spot; None for no chips."""
        others = (lying for lying in self.lies if (lying.seat, lying.spot) != (seat, spot))
        return replace(self, lies=_ordered((*others, *_lying(seat, spot, cents))))

    @property
    def _single_spot(self) -> tuple[int, int]:
        """Seat and spot of the lamp that is lit."""
        seat, spot = divmod(self.step, len(self.spots))
        return seat + 1, spot

    @property
    def _lamp(self) -> Lamp:
        return (
            _STILL_PATTERNS[self.pattern]
            if self.pattern in _STILL_PATTERNS
            else list(Lamp)[self.step % len(Lamp)]
        )


def lying_chips(chips: Mapping[tuple[int, int], int]) -> tuple[LyingChips, ...]:
    """The table's chips, ordered."""
    return _ordered(LyingChips(seat, spot, cents) for (seat, spot), cents in chips.items())


def _lying(seat: int, spot: int, cents: int | None) -> tuple[LyingChips, ...]:
    return () if cents is None else (LyingChips(seat, spot, cents),)


def _ordered(lies: Iterable[LyingChips]) -> tuple[LyingChips, ...]:
    return tuple(sorted(lies, key=lambda each: (each.seat, each.spot)))
