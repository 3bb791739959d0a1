"""How often bets hit: a row for each event, on a scale of what is expected."""

from collections.abc import Iterator

from controller.odds.plot.svg import FAINT, GRID, INK, TOP, Titles, dot, headed, line, rectangle, text
from controller.past.reports.hits import EXPECTED, HitComparison
from controller.past.reports.json_form import mean
from controller.past.reports.plots.axes import BAND, MARK, SPECIAL
from controller.past.reports.report import Report

NAMES, PLOT_END, WORDS = 250, 640, 655
"""Where names end, and where the plotted part does and the words begin."""
ROW = 30
MOST = 3.0
"""Times what is expected; what is more stands at the edge, with an arrow."""


def hits_chart(report: Report) -> str:
    """As an SVG file."""
    found = report.hits
    first = TOP - 10
    foot = first + ROW * len(found)
    titles = Titles(
        "How often bets hit",
        "dots: counted, as multiples of what the exact odds expect; bars: the band of 95 %",
        "; ".join(_description(each) for each in found),
    )
    shapes = [*_scale(first, foot)]
    for number, each in enumerate(found):
        shapes += _row(each, first + ROW * (number + 0.5))
    shapes.append(text((NAMES + PLOT_END) / 2, foot + 42, "counted / expected", 13, fill=FAINT))
    return headed(foot + 60, titles, shapes)


def _x(times: float) -> float:
    return NAMES + 12 + (PLOT_END - NAMES - 24) * min(times, MOST) / MOST


def _scale(first: float, foot: float) -> Iterator[str]:
    for half in range(int(MOST * 2) + 1):
        x = _x(half / 2)
        yield line(x, first - 6, x, foot, INK if half == 2 else GRID)
        yield text(x, foot + 18, f"{half / 2:g}", 12, fill=FAINT)


def _row(each: HitComparison, y: float) -> Iterator[str]:
    yield text(NAMES, y + 4, f"{each.bet}: {each.event}", 12, "end")
    expected = float(each.expected)
    if expected:
        low, high = _x(each.low / expected), _x(each.high / expected)
        yield rectangle(low, y - 7, max(2.0, high - low), 14, BAND)
        yield from _dot(each, each.observed / expected, y)
    words = f"{each.observed} of {each.trials}, {mean(each.expected)} expected"
    yield text(WORDS, y + 4, words, 12, "start", bold=each.word != EXPECTED)


def _dot(each: HitComparison, times: float, y: float) -> Iterator[str]:
    colour = MARK if each.word == EXPECTED else SPECIAL
    yield dot(_x(times), y, 5 if each.word == EXPECTED else 7, colour)
    if times > MOST:
        yield text(_x(times) - 10, y + 4, f"{times:,.1f} >", 11, "end", bold=True)


def _description(each: HitComparison) -> str:
    counted = f"{each.observed} of {each.trials}, {mean(each.expected)} expected"
    return f"{each.bet}, {each.event}: {counted}, {each.word}"
