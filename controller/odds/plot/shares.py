"""A row for each whole, divided into its shares."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller.odds.plot.svg import (
    FAINT,
    GRID,
    INK,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Titles,
    headed,
    line,
    rectangle,
    text,
)

HEIGHT, GAP = 30, 8
"""Of a row, and between two."""
PALE = ("#dcebf7", "#b5d3ec", "#85b4dd", "#4f8fc6", "#26679f")
"""Shares that have no colour of their own, in their order."""
OWN = {"natural": "#e9b44c", "bust": "#c8553d"}
WHITE = frozenset({PALE[3], PALE[4], OWN["bust"]})
"""Colours that are written on in white."""
LEAST = 0.03
"""A share that is smaller has no room for its figure."""
PLOTTED = WIDTH - LEFT - RIGHT


@dataclass(frozen=True, slots=True)
class Row:
    """A whole: shares of one, by name."""

    label: str
    shares: Mapping[str, float]


def rows(titles: Titles, x_axis: str, y_axis: str, values: Sequence[Row]) -> str:
    """The chart as an SVG file; the last row has every name, in the order of all rows."""
    colours = _colours(values[-1].shares)
    first = TOP + 40
    foot = first + len(values) * (HEIGHT + GAP)
    shapes = [*_legend(colours), text(LEFT - 12, first - 12, y_axis, 12, "end", FAINT), *_scale(first, foot)]
    for number, row in enumerate(values):
        shapes += _row(row, colours, first + number * (HEIGHT + GAP))
    shapes.append(text(LEFT + PLOTTED / 2, foot + 44, x_axis, 13, fill=FAINT))
    return headed(foot + 64, titles, shapes)


def _colours(names: Mapping[str, float]) -> dict[str, str]:
    plain = iter(PALE)
    return {name: OWN[name] if name in OWN else next(plain) for name in names}


def _legend(colours: Mapping[str, str]) -> Iterator[str]:
    for number, (name, colour) in enumerate(colours.items()):
        x = LEFT + number * 92
        yield rectangle(x, TOP - 12, 14, 14, colour)
        yield text(x + 20, TOP, name, 13, "start")


def _scale(first: float, foot: float) -> Iterator[str]:
    for percent in range(0, 101, 20):
        x = LEFT + PLOTTED * percent / 100
        yield line(x, first - 6, x, foot, GRID)
        yield text(x, foot + 18, f"{percent} %", 12, fill=FAINT)


def _row(row: Row, colours: Mapping[str, str], top: float) -> Iterator[str]:
    yield text(LEFT - 12, top + HEIGHT / 2 + 5, row.label, 14, "end", bold=True)
    left = float(LEFT)
    for name, share in row.shares.items():
        yield from _part(left, top, share, colours[name])
        left += PLOTTED * share


def _part(left: float, top: float, share: float, colour: str) -> Iterator[str]:
    yield rectangle(left, top, PLOTTED * share, HEIGHT, colour)
    if share >= LEAST:
        ink = "#ffffff" if colour in WHITE else INK
        yield text(left + PLOTTED * share / 2, top + HEIGHT / 2 + 4, f"{share * 100:.1f}", 12, fill=ink)
