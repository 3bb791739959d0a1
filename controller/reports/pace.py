"""How quickly rounds followed each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from controller.reports.facts import Played

MOST_BARS = 96
STEPS = (300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400, 604800)
"""Seconds that a bar of the chart may stand for."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Of rounds that were not void. A round takes from the end of the one before to its own end; where that
    is longer than a pause, or unknown, it is not timed. `open_seconds`: all timed rounds together."""

    timed: int
    open_seconds: float
    pauses: int
    pause_seconds: float
    per_hour: float | None
    median_seconds: float | None
    p90_seconds: float | None
    cards: int
    cards_per_round: Fraction | None


@dataclass(frozen=True, slots=True)
class Bar:
    """Rounds that ended from `begins` on, for `seconds`."""

    begins: float
    seconds: float
    rounds: int

    @property
    def per_hour(self) -> float:
        """As if it were an hour."""
        return self.rounds * 3600 / self.seconds


def pace(rounds: Sequence[Played], pause: float) -> Pace:
    """`pause`: seconds; a longer gap is one."""
    told = [each.took for each in rounds if each.took is not None]
    times = sorted(took for took in told if took <= pause)
    gaps = [took for took in told if took > pause]
    cards = sum(map(cards_of, rounds))
    return Pace(
        timed=len(times),
        open_seconds=sum(times),
        pauses=len(gaps),
        pause_seconds=sum(gaps),
        per_hour=len(times) * 3600 / sum(times) if sum(times) else None,
        median_seconds=median(times) if times else None,
        p90_seconds=quantile(times, 90) if times else None,
        cards=cards,
        cards_per_round=Fraction(cards, len(rounds)) if rounds else None,
    )


def quantile(times: Sequence[float], percent: int) -> float:
    """The smallest of the sorted times that so many of a hundred are not over."""
    return times[-(-len(times) * percent // 100) - 1]


def cards_of(played: Played) -> int:
    """Cards of the dealer and of all hands; burned ones are none of a round."""
    seen = played.round
    return len(seen.dealer.cards) + sum(len(hand.cards) for seat in seen.seats for hand in seat.hands)


def bars(stamps: Iterable[float], begins: float, ends: float) -> tuple[Bar, ...]:
    """The period in equal parts of some round length, the last one as long as there is time."""
    step = next((step for step in STEPS if (ends - begins) / step <= MOST_BARS), STEPS[-1])
    count = -int(-(ends - begins) // step)
    counted = [0] * count
    for at in stamps:
        counted[int((at - begins) // step)] += 1
    return tuple(
        Bar(begins + place * step, min(step, ends - begins - place * step), rounds)
        for place, rounds in enumerate(counted)
    )
