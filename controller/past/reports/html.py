"""A report as HTML: the part of the page inside its frame."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment

from controller.currency.formatting import exact_text
from controller.games.spots import spot_title
from controller.languages import day_text, gettext
from controller.languages.templating import template_environment, translating
from controller.past.reports.json_form import attention, comparisons, mean
from controller.past.reports.report import Report
from controller.past.reports.terminal import duration

TEMPLATES = Path(__file__).parent / "templates"
FEW = 60
"""Lines of one table on the page; the sheets have all lines."""


def report_html(report: Report, charts: Mapping[str, str]) -> str:
    calendar = report.asked.house.calendar
    return (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            period=report.asked.period,
            house=report.asked.house,
            charts=charts,
            comparisons=comparisons(report),
            looks=attention(report),
            clock=calendar.format_time,
            few=FEW,
        )
    )


def list_html(days: Sequence[Mapping[str, Any]]) -> str:
    return _environment().get_template("list.html").render(days=days)


@cache
def _environment() -> Environment:
    environment_ = template_environment(TEMPLATES)
    environment_.filters.update(
        money=exact_text,
        duration=_duration,
        weekday=_weekday,
        figure=_figure,
        chance=_chance,
        mean=translating(mean),
        spot_title=translating(spot_title),
    )
    return environment_


def _weekday(written: str) -> str:
    """ "Thu 19 Nov 2026" for "2026-11-19"."""
    return day_text(date.fromisoformat(written))


def _figure(value: float | None, places: int = 1) -> str:
    return "–" if value is None else f"{float(value):,.{places}f}".replace("-", "−")


def _duration(seconds: float | None) -> str:
    return "–" if seconds is None else duration(seconds)


def _chance(share: float) -> str:
    return gettext("under 0.1 %") if share < 0.001 else f"{share:.1%}".replace("%", " %")
