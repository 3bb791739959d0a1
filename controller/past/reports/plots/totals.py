"""What dealers ended with: a column for what was counted, a bracket for the band that chance gives."""

from collections.abc import Iterator

from controller.odds.plot.svg import FAINT, INK, LEFT, RIGHT, WIDTH, Titles, headed, line, rectangle, text
from controller.past.reports.plots.axes import FIGURE, FOOT, HEIGHT, MARK, ValueScale, value_scale
from controller.past.reports.report import Report
from controller.past.reports.totals import TotalComparison

LEAST = 4.0
"""Hands for which the scale has room at least, one by one."""
FILLED = 0.5
"""The part of its place that a column fills."""


def totals_chart(report: Report) -> str:
    """As an SVG file."""
    found = report.totals
    scale = value_scale(
        [LEAST, *(float(each) for total in found.totals for each in (total.high, total.observed))]
    )
    how = f"{found.hands} completed hands without a natural; columns: counted, brackets: the band of 95 %"
    titles = Titles("The dealer's final totals", how, _description(report))
    place = (WIDTH - LEFT - RIGHT) / max(1, len(found.totals))
    shapes = [*scale.draw("hands", _whole), line(LEFT, FOOT, WIDTH - RIGHT, FOOT, INK)]
    for number, total in enumerate(found.totals):
        shapes += _column(total, scale, LEFT + place * (number + 0.5), place)
    shapes.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "final total", 13, fill=FAINT))
    return headed(HEIGHT, titles, shapes)


def _whole(mark: float) -> str:
    """There are no parts of a hand."""
    return f"{mark:,.0f}" if mark == round(mark) else ""


def _column(total: TotalComparison, scale: ValueScale, middle: float, place: float) -> Iterator[str]:
    width, top = place * FILLED, scale.y(total.observed)
    yield rectangle(middle - width / 2, top, width, FOOT - top, FIGURE)
    x, low, high = middle + width / 2 + 10, scale.y(total.low), scale.y(total.high)
    yield line(x, low, x, high, MARK)
    for end in (low, high):
        yield line(x - 5, end, x + 5, end, MARK)
    mean = scale.y(float(total.expected))
    yield rectangle(x - 5, mean - 1.5, 10, 3, MARK)
    yield text(middle, FOOT + 20, total.name, 14, bold=True)
    yield text(middle, FOOT + 37, f"{total.observed}, {float(total.expected):.1f} expected", 11, fill=FAINT)


def _description(report: Report) -> str:
    totals = report.totals.totals
    return "; ".join(
        f"{total.name}: {total.observed} counted, {float(total.expected):.1f} expected, "
        f"band {total.low} to {total.high}"
        for total in totals
    )
