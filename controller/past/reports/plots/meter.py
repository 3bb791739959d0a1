"""What a jackpot showed over the period, with its wins."""

from collections.abc import Iterator, Sequence

from controller.odds.plot.svg import Titles, headed, path, text, triangle
from controller.past.reports.facts import MeterMovement
from controller.past.reports.json_form import signed_amount
from controller.past.reports.plots.axes import (
    FIGURE,
    HEIGHT,
    MARK,
    SPECIAL,
    TimeScale,
    ValueScale,
    value_scale,
)
from controller.past.reports.report import Report

WINS = {"lock": "won", "win": "won", "correction": "corrected"}
"""Kinds of movements that are marked, and how."""
MOST_POINTS = 2000
"""More would be a large file, and not to be told apart."""


def meter_chart(report: Report, spot: str, movements: Sequence[MeterMovement]) -> str:
    """As an SVG file."""
    meter = next(each for each in report.meters if each.spot == spot)
    mine = sorted((each for each in movements if each.note.spot == spot), key=lambda each: each.at)
    along = TimeScale(report.asked.period, report.asked.house.calendar)
    begins = meter.begins or next((each.note.after for each in mine), meter.ends)
    shown = [begins, meter.ends, *(each.note.after for each in mine)]
    scale = value_scale([cents / 100 for cents in shown], from_zero=False)
    wins = [each for each in mine if each.note.kind in WINS and each.note.after != each.note.before]
    titles = Titles(
        f"Jackpot {spot}",
        f"{report.asked.period.title}; triangles: won (W) and corrected (C)",
        f"From {signed_amount(meter.begins)} to {signed_amount(meter.ends)}; "
        f"{len(wins)} wins and corrections.",
    )
    shapes = [*scale.draw("amount on the meter", lambda mark: f"{mark:,.6g}"), *along.draw()]
    shapes.append(path(_steps(mine, along, scale, begins, meter.ends), FIGURE))
    for each in wins:
        shapes += _win(each, along, scale)
    return headed(HEIGHT, titles, shapes)


def _steps(
    mine: Sequence[MeterMovement], along: TimeScale, scale: ValueScale, begins: int, ends: int
) -> list[tuple[float, float]]:
    """It stays as it is between two movements."""
    every = -(-len(mine) // MOST_POINTS) or 1
    points, y = [(along.x(along.period.begins), scale.y(begins / 100))], scale.y(begins / 100)
    for place, each in enumerate(mine):
        if place % every == 0 or each.note.kind in WINS:
            x = along.x(each.at)
            points.append((x, y))
            y = scale.y(each.note.after / 100)
            points.append((x, y))
    return [*points, (along.x(along.period.ends), scale.y(ends / 100))]


def _win(each: MeterMovement, along: TimeScale, scale: ValueScale) -> Iterator[str]:
    x, y = along.x(each.at), scale.y(each.note.before / 100)
    word = WINS[each.note.kind]
    yield triangle(x, y - 3, 12, MARK if word == "corrected" else SPECIAL)
    yield text(x, y - 20, f"{word[0].upper()} {signed_amount(each.note.after - each.note.before)}", 11)
