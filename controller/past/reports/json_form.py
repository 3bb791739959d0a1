"""A report as JSON: money in minor units, times in seconds of Unix time, expected counts as the nearest
float. A share is exact as the quotient of its two whole numbers."""

from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from controller.currency import currency_in_use
from controller.past.reports.hits import LOOK, HitComparison
from controller.past.reports.report import Report
from controller.past.reports.wagers import WagerKind

PLACES = 6
LEAST = 0.001
"""Smaller expected counts are shown as "under 0.001"."""


def report_json(report: Report) -> dict[str, Any]:
    body = plain(report)
    asked = body.pop("asked")
    body["wagers"] = [{**plain(kind), **_sums(kind)} for kind in report.wagers]
    body["hits"] = [{**plain(each), "word": each.word} for each in report.hits]
    body["bars"] = [{**plain(bar), "per_hour": plain(bar.per_hour)} for bar in report.bars]
    body["pace"]["target"] = report.asked.house.target
    return {
        "period": asked["period"],
        "currency": currency_in_use().code,
        "minor_digits": currency_in_use().digits,
        "zone": report.asked.house.calendar.zone,
        "pause_seconds": report.asked.house.pause,
        "comparisons": comparisons(report),
        "look": attention(report),
        **body,
    }


def comparisons(report: Report) -> int:
    """The number of tests in the report."""
    return len(report.hits) + (report.totals_corrected is not None)


def attention(report: Report) -> list[str]:
    """What a person should look at, a sentence each."""
    found = [
        f"{_named(each)}: {each.observed} seen, {mean(each.expected)} expected"
        for each in report.hits
        if each.word == LOOK
    ]
    if report.totals_word == LOOK:
        found.append("the dealer's final totals do not fit the odds")
    return [*found, *(fault for meter in report.meters for fault in meter.faults)]


def mean(expected: Fraction) -> str:
    """An expected count with its significant digits: "369.5", "0.035", "under 0.001"."""
    value = float(expected)
    if value >= 1:
        return f"{value:,.1f}"
    return f"{value:.2g}" if value >= LEAST or not value else f"under {LEAST}"


def plain(value: Any) -> Any:
    """Records as objects, exact numbers as floats, bytes in hex."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Fraction | float):
        return round(float(value), PLACES)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    return value


def _named(each: HitComparison) -> str:
    return f"{each.bet}, {each.event}"


def _sums(kind: WagerKind) -> dict[str, Any]:
    """`drop` and `hold` are the names that the API has for handle and win."""
    percent = None if kind.hold is None else round(float(kind.hold * 100), PLACES)
    return {"drop": kind.handle, "hold": kind.win, "hold_percent": percent}
