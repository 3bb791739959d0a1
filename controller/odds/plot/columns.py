from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10

from controller.odds.plot.svg import (
    FAINT,
    INK,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Titles,
    dot,
    headed,
    line,
    rectangle,
    text,
)

FOOT = 470
HEIGHT = 550
"""Where the plotted area and the drawing end."""
FILLED = 0.62
"""The part of its place that a column fills."""
COLUMN = "#9cc4e4"
BELOW = "#e9b44c"
DOT = "#1b4d78"
STEPS = (1, 2, 2.5, 5, 10)
"""Possible distances between marks, times a power of ten."""


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """A share of one; None if there is no value. Dots are shares too, by name."""

    label: str
    value: float | None
    dots: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scale:
    """Converts shares to pixels."""

    low: float
    high: float

    def y(self, value: float) -> float:
        return FOOT - (FOOT - TOP) * (value - self.low) / (self.high - self.low)


def columns(titles: Titles, x_axis: str, y_axis: str, values: Sequence[ChartColumn]) -> str:
    marks = ticks([share for column in values for share in _shares(column)])
    scale = Scale(marks[0], marks[-1])
    place = (WIDTH - LEFT - RIGHT) / len(values)
    shapes = [*_marks(scale, marks), text(LEFT, TOP - 16, y_axis, 12, "start", FAINT)]
    for number, column in enumerate(values):
        shapes += _column(column, scale, LEFT + place * number, place)
    shapes += [
        line(LEFT, scale.y(0), WIDTH - RIGHT, scale.y(0), INK),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, x_axis, 13, fill=FAINT),
    ]
    return headed(HEIGHT, titles, shapes)


def ticks(shares: Sequence[float]) -> list[float]:
    """Four to eight even marks around all shares and 0."""
    low, high = min(0.0, *shares), max(0.0, *shares)
    if low == high:
        high = 0.01
    rough = (high - low) / 6
    power = 10.0 ** floor(log10(rough))
    step = next(step * power for step in STEPS if step * power >= rough * 0.999)
    return [step * number for number in range(floor(low / step + 1e-9), ceil(high / step - 1e-9) + 1)]


def _shares(column: ChartColumn) -> Iterator[float]:
    yield column.value or 0.0
    yield from column.dots.values()


def _marks(scale: Scale, marks: Sequence[float]) -> Iterator[str]:
    for mark in marks:
        yield line(LEFT, scale.y(mark), WIDTH - RIGHT, scale.y(mark))
        yield text(LEFT - 10, scale.y(mark) + 4, f"{mark * 100:.4g} %", 12, "end", FAINT)


def _column(column: ChartColumn, scale: Scale, left: float, place: float) -> Iterator[str]:
    middle = left + place / 2
    yield text(middle, FOOT + 22, column.label, 14, bold=True)
    if column.value is None:
        yield text(middle, FOOT + 40, "not offered", 12, fill=FAINT)
        return
    top, foot = sorted((scale.y(column.value), scale.y(0)))
    yield rectangle(
        middle - place * FILLED / 2, top, place * FILLED, foot - top, COLUMN if column.value >= 0 else BELOW
    )
    yield text(middle, FOOT + 40, f"{column.value:.3%}".replace("%", " %"), 12)
    yield from _dots(column, scale, middle, place * FILLED)


def _dots(column: ChartColumn, scale: Scale, middle: float, width: float) -> Iterator[str]:
    step = width / max(1, len(column.dots))
    for number, (name, share) in enumerate(column.dots.items()):
        x, y = middle - width / 2 + step * (number + 0.5), scale.y(share)
        yield dot(x, y, 3.5, DOT)
        yield text(x, y - 7, name, 11, fill=DOT)
