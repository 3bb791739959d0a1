"""A floor's report as JSON and as CSV sheets, in which no text becomes a formula."""

from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from controller.currency import named_currency
from controller.floor.reports.figures import PlayFigures
from controller.floor.reports.reconciliation import HEADINGS, reconciliation_json, reconciliation_lines
from controller.floor.reports.report import GROUPS, Fields, FloorReport, ReportLine
from controller.past.export.cells import Amount, Cell, csv_line, money
from controller.past.export.lines import iso_time

FIGURES: Final = (
    "rounds",
    "void",
    "corrected",
    "with a jackpot",
    "with an unknown wager",
    "currency",
    "handle",
    "win",
    "hold percent",
    "hands",
    "most won by one wager",
    "rounds per hour",
)
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "hits": ("table", "claim", "round", "seat", "spot", "currency", "amount", "step", "time"),
    "events": ("table", "severity", "code", "device", "text", "count", "last"),
    "actions": ("table", "who", "further persons", "kind", "what", "time"),
}
SHEETS: Final = (*(f"{group}s" for group in GROUPS), *EXTRAS, *HEADINGS)
PLACES: Final = 2


def report_json(report: FloorReport) -> dict[str, Any]:
    """Money in minor units, with `minor_digits` after the decimal point; times in seconds of Unix time.
    `hold` is win / handle, None without a handle."""
    return {
        "period": asdict(report.period),
        "zone": report.zone,
        "totals": [_line_json(line) for line in report.totals],
        **{
            f"{group}s": [{"name": line.name, **_line_json(line)} for line in lines]
            for group, lines in report.groups.items()
        },
        **{
            name: [dict(zip(headings, row, strict=True)) for row in getattr(report, name)]
            for name, headings in EXTRAS.items()
        },
        "reconciliation": reconciliation_json(report.reconciliation),
    }


def _line_json(line: ReportLine) -> dict[str, Any]:
    figures, hold = line.figures, line.figures.hold
    return {
        "currency": line.money.code,
        "minor_digits": line.money.digits,
        **asdict(figures),
        "hold": None if hold is None else float(hold),
        "per_hour": figures.per_hour,
    }


def sheet(report: FloorReport, name: str) -> bytes:
    """The content of one of SHEETS, with the byte order mark without which some spreadsheets do not recognize
    UTF-8."""
    if name in EXTRAS:
        lines = _extra_lines(name, getattr(report, name))
        return b"".join((BOM_UTF8, csv_line(EXTRAS[name]), *map(csv_line, lines)))
    if name in HEADINGS:
        found = reconciliation_lines(report.reconciliation, name)
        return b"".join((BOM_UTF8, csv_line(HEADINGS[name]), *map(csv_line, found)))
    group = name.removesuffix("s")
    lines_ = [(line.name, *_cells(line)) for line in (*report.groups[group], *report.totals)]
    return b"".join((BOM_UTF8, csv_line((group, *FIGURES)), *map(csv_line, lines_)))


def percent(figures: PlayFigures) -> str:
    """The hold, "12.34"; empty without a handle."""
    return "" if figures.hold is None else f"{float(100 * figures.hold):.{PLACES}f}"


def _cells(line: ReportLine) -> tuple[Cell, ...]:
    figures, currency = line.figures, line.money
    per_hour = "" if figures.per_hour is None else f"{figures.per_hour:.1f}"
    counts = figures.rounds, figures.void, figures.corrected, figures.jackpots, figures.unknown
    sums = money(figures.handle, currency), money(figures.win, currency), Amount(percent(figures))
    return (*counts, currency.code, *sums, figures.hands, money(figures.won_most, currency), per_hour)


def _extra_lines(name: str, rows: tuple[Fields, ...]) -> Iterator[tuple[Cell, ...]]:
    for row in rows:
        *fields, at = row
        cells: list[Cell] = [field if isinstance(field, str | int) else None for field in fields]
        if name == "hits":
            cells[6] = money(fields[6], named_currency(str(fields[5])))
        yield (*cells, iso_time(float(at)))
