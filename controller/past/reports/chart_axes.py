"""The plotted area of the charts: a vertical scale of values, and a horizontal one of time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from controller.calendar import Calendar, Period
from controller.languages import translate
from controller.odds.plot.columns import ticks
from controller.odds.plot.svg import FAINT, INK, LEFT, RIGHT, TOP, WIDTH, line, text

FOOT = 380
HEIGHT = 450
FIGURE = "#4f8fc6"
MARK = "#1b4d78"
BAND = "#6a9fcc"
SPECIAL = "#8f2412"
"""What was counted, what was expected or wanted, the band of chance, and what stands out."""
STEPS = (60, 300, 600, 1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400, 172800, 604800, 2592000, 7776000)
"""Seconds between two marks of time."""
MOST_MARKS = 13


@dataclass(frozen=True, slots=True)
class ValueScale:
    """From values to pixels, between the first and the last mark."""

    marks: Sequence[float]

    def y(self, value: float) -> float:
        """The vertical position of a value."""
        low, high = self.marks[0], self.marks[-1]
        return FOOT - (FOOT - TOP) * (value - low) / (high - low)

    def draw(self, axis: str, shown: Callable[[float], str]) -> Iterator[str]:
        """Lines with their values, and the title of the axis."""
        yield text(LEFT, TOP - 16, axis, 12, "start", FAINT)
        for mark in self.marks:
            yield line(LEFT, self.y(mark), WIDTH - RIGHT, self.y(mark))
            yield text(LEFT - 10, self.y(mark) + 4, shown(mark), 12, "end", FAINT)


@dataclass(frozen=True, slots=True)
class TimeScale:
    """From times to pixels."""

    period: Period
    calendar: Calendar

    def x(self, at: float) -> float:
        """The horizontal position of a time."""
        whole = self.period.ends - self.period.begins
        return LEFT + (WIDTH - LEFT - RIGHT) * (at - self.period.begins) / whole

    def draw(self) -> Iterator[str]:
        """Marks at even distances from the beginning, with their times."""
        length = self.period.ends - self.period.begins
        step = next((step for step in STEPS if length / step <= MOST_MARKS), STEPS[-1])
        form = "%H:%M" if step < 86400 else "%m-%d"
        yield line(LEFT, FOOT, WIDTH - RIGHT, FOOT, INK)
        for number in range(int(length // step) + 1):
            at = self.period.begins + step * number
            yield line(self.x(at), FOOT, self.x(at), FOOT + 5, INK)
            yield text(self.x(at), FOOT + 20, self.calendar.format_time(at, form), 12)
        unit = "time of day" if step < 86400 else "month and day"
        yield text(
            (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 14,
            f"{translate(unit)}, {self.calendar.zone}",
            13,
            fill=FAINT,
        )


def value_scale(values: Sequence[float], *, from_zero: bool = True) -> ValueScale:
    """A scale with room for all values; there must be one at least."""
    if from_zero:
        return ValueScale(ticks(values))
    low, high = min(values), max(values)
    step = ticks([max(high - low, 1.0)])[1]
    first = floor(low / step)
    return ValueScale([step * number for number in range(first, max(first + 1, ceil(high / step)) + 1)])
