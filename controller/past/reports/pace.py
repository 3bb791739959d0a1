"""The pace: how quickly rounds followed each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from controller.calendar import Period
from controller.past.reports.facts import ReportedRound

LEAST = 60.0
"""Seconds of open time. With less, no rate is given: three rounds in a second are not ten thousand an
hour."""
MOST_BARS = 100
"""A day of 25 hours in quarters of an hour."""
STEPS = (300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400, 604800)
"""The possible lengths of a bar, in seconds."""


@dataclass(frozen=True, slots=True)
class PaceReport:
    """The pace of rounds that were not void. A round lasts from the end of the one before to its own end. If
    that is longer than a pause, or unknown, the round is not timed. `open_seconds`: the sum of all timed
    rounds; `per_hour`: None with too little open time."""

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
class PaceBar:
    """The rounds that ended in `seconds` from `begins` on. `timed` of them took `open_seconds` together,
    which is more than `seconds` if one began before."""

    begins: float
    seconds: float
    rounds: int
    timed: int
    open_seconds: float

    @property
    def per_hour(self) -> float | None:
        """See PaceReport."""
        return per_hour(self.timed, self.open_seconds)


def pace_report(rounds: Sequence[ReportedRound], pause: float) -> PaceReport:
    """`pause`: seconds; a longer gap is a pause."""
    gaps_ = [each.took for each in rounds if each.took is not None]
    times = sorted(timed_seconds(rounds, pause))
    gaps = [took for took in gaps_ if took > pause]
    cards = sum(each.figures.cards for each in rounds)
    return PaceReport(
        timed=len(times),
        open_seconds=sum(times),
        pauses=len(gaps),
        pause_seconds=sum(gaps),
        per_hour=per_hour(len(times), sum(times)),
        median_seconds=median(times) if times else None,
        p90_seconds=quantile(times, 90) if times else None,
        cards=cards,
        cards_per_round=Fraction(cards, len(rounds)) if rounds else None,
    )


def timed_seconds(rounds: Iterable[ReportedRound], pause: float) -> list[float]:
    """The seconds of each timed round."""
    return [each.took for each in rounds if each.took is not None and each.took <= pause]


def per_hour(count: int, seconds: float) -> float | None:
    """None with too little open time."""
    return count * 3600 / seconds if seconds >= LEAST else None


def quantile(times: Sequence[float], percent: int) -> float:
    """The smallest of the sorted times that `percent` of them do not exceed."""
    return times[-(-len(times) * percent // 100) - 1]


def bars(rounds: Iterable[ReportedRound], period: Period, pause: float) -> tuple[PaceBar, ...]:
    """The period in equal parts; the last one may be shorter."""
    begins, ends = period.begins, period.ends
    step = next((step for step in STEPS if (ends - begins) / step <= MOST_BARS), STEPS[-1])
    parts: list[list[ReportedRound]] = [[] for _ in range(-int(-(ends - begins) // step))]
    for each in rounds:
        parts[int((each.at - begins) // step)].append(each)
    return tuple(
        _bar(begins + place * step, min(step, ends - begins - place * step), part, pause)
        for place, part in enumerate(parts)
    )


def _bar(begins: float, seconds: float, rounds: Sequence[ReportedRound], pause: float) -> PaceBar:
    times = timed_seconds(rounds, pause)
    return PaceBar(begins, seconds, len(rounds), len(times), sum(times))
