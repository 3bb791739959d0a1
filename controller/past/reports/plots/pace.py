"""Rounds an hour of open time over the period, against what the house wants."""

from collections.abc import Iterator

from controller.odds.plot.svg import LEFT, RIGHT, WIDTH, Titles, headed, line, rectangle, text
from controller.past.reports.pace import PaceBar
from controller.past.reports.plots.axes import FIGURE, HEIGHT, MARK, TimeScale, value_scale
from controller.past.reports.report import Report

GAP = 1.5


def pace_chart(report: Report) -> str:
    """As an SVG file. A column is as wide as the table was open, so that its area stands for rounds."""
    target, found = report.asked.house.target, report.bars
    along = TimeScale(report.asked.period, report.asked.house.calendar)
    paced = [(bar, bar.per_hour) for bar in found if bar.per_hour is not None]
    scale = value_scale([float(target), *(per_hour for _, per_hour in paced)])
    how = f"each column {_length(round(found[0].seconds / 60))}, as wide as the table was open"
    titles = Titles("Pace", f"{report.asked.period.title}; {how}", _description(report, target))
    shapes = [*scale.draw("rounds per hour of open time", lambda mark: f"{mark:,g}"), *along.draw()]
    shapes += [_bar(bar, along, scale.y(per_hour), scale.y(0)) for bar, per_hour in paced]
    return headed(HEIGHT, titles, [*shapes, *_target(target, scale.y(target))])


def _bar(bar: PaceBar, along: TimeScale, top: float, foot: float) -> str:
    left, right = along.x(bar.begins), along.x(bar.begins + bar.seconds)
    width = (right - left - GAP) * min(1.0, bar.open_seconds / bar.seconds)
    return rectangle(left + GAP / 2, top, max(1.0, width), foot - top, FIGURE)


def _target(target: int, y: float) -> Iterator[str]:
    if target:
        yield line(LEFT, y, WIDTH - RIGHT, y, MARK)
        yield text(WIDTH - RIGHT, y - 6, f"target {target}", 12, "end", MARK, bold=True)


def _length(minutes: int) -> str:
    return f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"


def _description(report: Report, target: int) -> str:
    per_hour = report.pace.per_hour
    mean = "unknown" if per_hour is None else f"{per_hour:.0f}"
    wanted = f", target {target}" if target else ""
    return f"{report.rounds} rounds; {mean} rounds per hour of open time{wanted}."
