"""The charts of a report, each an SVG file."""

from collections.abc import Iterable, Iterator, Sequence

from controller.currency import currency_in_use
from controller.currency.formatting import exact_text
from controller.games.spots import spot_title
from controller.languages import translate
from controller.odds.plot.svg import (
    FAINT,
    GRID,
    INK,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Titles,
    dot,
    headed,
    line,
    path,
    rectangle,
    text,
    triangle,
)
from controller.past.reports.chart_axes import (
    BAND,
    FIGURE,
    FOOT,
    HEIGHT,
    MARK,
    SPECIAL,
    TimeScale,
    ValueScale,
    value_scale,
)
from controller.past.reports.facts import Facts, MeterMovement
from controller.past.reports.hits import EXPECTED, HitComparison
from controller.past.reports.json_form import mean
from controller.past.reports.pace import PaceBar
from controller.past.reports.report import Report
from controller.past.reports.totals import TotalComparison

GAP = 1.5


def _titles(title: str, subtitle: Iterable[str], description: Iterable[str]) -> Titles:
    """The titles in the language in use; subtitle and description as their sentences."""
    return Titles(
        translate(title), "; ".join(map(translate, subtitle)), "; ".join(map(translate, description))
    )


def pace_chart(report: Report) -> str:
    """A column is as wide as the table was open, so its area stands for rounds."""
    target, found = report.asked.house.target, report.bars
    along = TimeScale(report.asked.period, report.asked.house.calendar)
    paced = [(bar, bar.per_hour) for bar in found if bar.per_hour is not None]
    scale = value_scale([float(target), *(per_hour for _, per_hour in paced)])
    how = f"each column {_pace_length(round(found[0].seconds / 60))}, as wide as the table was open"
    titles = _titles("Pace", (report.asked.period.title, how), (_pace_description(report, target),))
    shapes = [
        *scale.draw(translate("rounds per hour of open time"), lambda mark: f"{mark:,g}"),
        *along.draw(),
    ]
    shapes += [_pace_bar(bar, along, scale.y(per_hour), scale.y(0)) for bar, per_hour in paced]
    return headed(HEIGHT, titles, [*shapes, *_pace_target(target, scale.y(target))])


def _pace_bar(bar: PaceBar, along: TimeScale, top: float, foot: float) -> str:
    left, right = along.x(bar.begins), along.x(bar.begins + bar.seconds)
    width = (right - left - GAP) * min(1.0, bar.open_seconds / bar.seconds)
    return rectangle(left + GAP / 2, top, max(1.0, width), foot - top, FIGURE)


def _pace_target(target: int, y: float) -> Iterator[str]:
    if target:
        yield line(LEFT, y, WIDTH - RIGHT, y, MARK)
        yield text(WIDTH - RIGHT, y - 6, translate(f"target {target}"), 12, "end", MARK, bold=True)


def _pace_length(minutes: int) -> str:
    return f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"


def _pace_description(report: Report, target: int) -> str:
    per_hour = report.pace.per_hour
    mean = "unknown" if per_hour is None else f"{per_hour:.0f}"
    wanted = f", target {target}" if target else ""
    return f"{report.rounds} rounds; {mean} rounds per hour of open time{wanted}."


LEAST_HANDS = 4.0
"""The scale always has room for this many hands."""
FILLED = 0.5
"""The part of its width that a column fills."""


def totals_chart(report: Report) -> str:
    found = report.totals
    scale = value_scale(
        [LEAST_HANDS, *(float(each) for total in found.totals for each in (total.high, total.observed))]
    )
    how = f"{found.hands} completed hands without a natural; columns: counted, brackets: the band of 95 %"
    titles = _titles("The dealer's final totals", (how,), map(_total_description, found.totals))
    place = (WIDTH - LEFT - RIGHT) / max(1, len(found.totals))
    shapes = [*scale.draw(translate("hands"), _totals_whole), line(LEFT, FOOT, WIDTH - RIGHT, FOOT, INK)]
    for number, total in enumerate(found.totals):
        shapes += _totals_column(total, scale, LEFT + place * (number + 0.5), place)
    shapes.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, translate("final total"), 13, fill=FAINT))
    return headed(HEIGHT, titles, shapes)


def _totals_whole(mark: float) -> str:
    """Only whole hands get a text."""
    return f"{mark:,.0f}" if mark == round(mark) else ""


def _totals_column(total: TotalComparison, scale: ValueScale, middle: float, place: float) -> Iterator[str]:
    width, top = place * FILLED, scale.y(total.observed)
    yield rectangle(middle - width / 2, top, width, FOOT - top, FIGURE)
    x, low, high = middle + width / 2 + 10, scale.y(total.low), scale.y(total.high)
    yield line(x, low, x, high, MARK)
    for end in (low, high):
        yield line(x - 5, end, x + 5, end, MARK)
    mean = scale.y(float(total.expected))
    yield rectangle(x - 5, mean - 1.5, 10, 3, MARK)
    yield text(middle, FOOT + 20, translate(total.name), 14, bold=True)
    counted = translate(f"{total.observed}, {float(total.expected):.1f} expected")
    yield text(middle, FOOT + 37, counted, 11, fill=FAINT)


def _total_description(total: TotalComparison) -> str:
    ending = total.name
    expected = f"{float(total.expected):.1f}"
    return f"{ending}: {total.observed} counted, {expected} expected, band {total.low} to {total.high}"


NAMES_END = 250
PLOT_END = 640
WORDS_START = 655
"""Where names end, and where the plotted part does and the words begin."""
HIT_ROW = 30
MOST_MULTIPLE = 3.0
"""Multiples of the expected count. A larger one is drawn at the edge, with an arrow."""


def hits_chart(report: Report) -> str:
    found = report.hits
    first = TOP - 10
    foot = first + HIT_ROW * len(found)
    titles = _titles(
        "How often bets hit",
        ("dots: counted, as multiples of what the exact odds expect; bars: the band of 95 %",),
        map(_hits_description, found),
    )
    shapes = [*_hits_scale(first, foot)]
    for number, each in enumerate(found):
        shapes += _hits_row(each, first + HIT_ROW * (number + 0.5))
    shapes.append(
        text(
            (NAMES_END + PLOT_END) / 2,
            foot + 42,
            translate("counted, as multiples of what is expected"),
            13,
            fill=FAINT,
        )
    )
    return headed(foot + 60, titles, shapes)


def _hits_x(times: float) -> float:
    return NAMES_END + 12 + (PLOT_END - NAMES_END - 24) * min(times, MOST_MULTIPLE) / MOST_MULTIPLE


def _hits_scale(first: float, foot: float) -> Iterator[str]:
    for half in range(int(MOST_MULTIPLE * 2) + 1):
        x = _hits_x(half / 2)
        yield line(x, first - 6, x, foot, INK if half == 2 else GRID)
        yield text(x, foot + 18, f"{half / 2:g}", 12, fill=FAINT)


def _hits_row(each: HitComparison, y: float) -> Iterator[str]:
    yield text(NAMES_END, y + 4, f"{translate(spot_title(each.bet))}: {translate(each.event)}", 12, "end")
    expected = float(each.expected)
    if expected:
        low, high = _hits_x(each.low / expected), _hits_x(each.high / expected)
        yield rectangle(low, y - 7, max(2.0, high - low), 14, BAND)
        yield from _hits_dot(each, each.observed / expected, y)
    yield text(WORDS_START, y + 4, _counted(each), 12, "start", bold=each.word != EXPECTED)


def _hits_dot(each: HitComparison, times: float, y: float) -> Iterator[str]:
    colour = MARK if each.word == EXPECTED else SPECIAL
    yield dot(_hits_x(times), y, 5 if each.word == EXPECTED else 7, colour)
    if times > MOST_MULTIPLE:
        yield text(_hits_x(times) - 10, y + 4, f"{times:,.1f} >", 11, "end", bold=True)


def _hits_description(each: HitComparison) -> str:
    """In the language in use."""
    bet, event, verdict = map(translate, (spot_title(each.bet), each.event, each.word))
    return f"{bet}, {event}: {_counted(each)}, {verdict}"


def _counted(each: HitComparison) -> str:
    """In the language in use."""
    return translate(f"{each.observed} of {each.trials}, {mean(each.expected)} expected")


WINS = {"lock": "won", "win": "won", "correction": "corrected"}
"""The kinds of movements with a mark, and its text."""
MOST_POINTS = 2000
"""More points would not be visible."""


def meter_chart(report: Report, spot: str, movements: Sequence[MeterMovement]) -> str:
    meter = next(each for each in report.meters if each.spot == spot)
    mine = sorted((each for each in movements if each.note.spot == spot), key=lambda each: each.at)
    along = TimeScale(report.asked.period, report.asked.house.calendar)
    begins = meter.begins or next((each.note.after for each in mine), meter.ends)
    unit = currency_in_use().unit
    shown = [begins, meter.ends, *(each.note.after for each in mine)]
    scale = value_scale([cents / unit for cents in shown], from_zero=False)
    wins = [each for each in mine if each.note.kind in WINS and each.note.after != each.note.before]
    titles = _titles(
        f"Jackpot {spot_title(spot)}",
        (report.asked.period.title, "triangles: won and corrected, with their first letters"),
        (
            f"From {exact_text(meter.begins)} to {exact_text(meter.ends)}",
            f"{len(wins)} wins and corrections.",
        ),
    )
    shapes = [*scale.draw(translate("amount on the meter"), lambda mark: f"{mark:,.6g}"), *along.draw()]
    shapes.append(path(_meter_steps(mine, along, scale, begins, meter.ends), FIGURE))
    for each in wins:
        shapes += _meter_win(each, along, scale)
    return headed(HEIGHT, titles, shapes)


def _meter_steps(
    mine: Sequence[MeterMovement], along: TimeScale, scale: ValueScale, begins: int, ends: int
) -> list[tuple[float, float]]:
    """The meter is constant between two movements."""
    every = -(-len(mine) // MOST_POINTS) or 1
    unit = currency_in_use().unit
    y = scale.y(begins / unit)
    points = [(along.x(along.period.begins), y)]
    for place, each in enumerate(mine):
        if place % every == 0 or each.note.kind in WINS:
            x = along.x(each.at)
            points.append((x, y))
            y = scale.y(each.note.after / unit)
            points.append((x, y))
    return [*points, (along.x(along.period.ends), scale.y(ends / unit))]


def _meter_win(each: MeterMovement, along: TimeScale, scale: ValueScale) -> Iterator[str]:
    x, y = along.x(each.at), scale.y(each.note.before / currency_in_use().unit)
    word = WINS[each.note.kind]
    yield triangle(x, y - 3, 12, MARK if word == "corrected" else SPECIAL)
    yield text(
        x, y - 20, f"{translate(word)[0].upper()} {exact_text(each.note.after - each.note.before)}", 11
    )


def charts(report: Report, facts: Facts) -> dict[str, str]:
    """All charts with something to draw, by name. Those of meters are named after their spots."""
    paced = any(bar.per_hour is not None for bar in report.bars)
    drawn = {"pace": pace_chart(report)} if paced else {}
    if report.totals.hands:
        drawn["totals"] = totals_chart(report)
    if report.hits:
        drawn["hits"] = hits_chart(report)
    for meter in report.meters:
        drawn[f"meter-{meter.spot}"] = meter_chart(report, meter.spot, facts.movements)
    return drawn
