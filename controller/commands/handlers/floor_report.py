"""What `tableside floor report` does."""

import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from controller.calendar import Calendar, Period
from controller.commands.arguments import print_json
from controller.commands.configurations import floor_config
from controller.commands.exit_codes import failed, usage
from controller.currency import using
from controller.floor.day_file import JournalName
from controller.floor.store_file import StoreError
from controller.journal.errors import JournalError

if TYPE_CHECKING:
    from controller.floor.reports.report import FloorReport, ReportLine
    from controller.floor.settings import FloorConfig
    from controller.past.reports.report import Report


def handle(
    config: Path, *, period: str, pit: str, table: str, epoch: str, folder: Path | None, as_json: bool
) -> None:
    if folder and as_json:
        raise usage("--csv and --json are not allowed together; allowed: one of them")
    known = floor_config(config)
    chosen = _period(known.calendar(), period)
    try:
        if table:
            _report_table(known, chosen, table, epoch, pit, folder, as_json=as_json)
        else:
            _report_floor(known, chosen, pit, folder, as_json=as_json)
    except (StoreError, JournalError, sqlite3.Error) as error:
        raise failed(str(error)) from None
    except OSError as error:
        raise failed(f"{error.filename} cannot be written: {error.strerror}") from None


def _period(calendar: Calendar, text: str) -> Period:
    try:
        return calendar.named(text) if text else calendar.day(calendar.day_of(time.time()))
    except ValueError as error:
        raise usage(f"period: {error}") from None


def _report_floor(
    known: "FloorConfig", period: Period, pit: str, folder: Path | None, *, as_json: bool
) -> None:
    from controller.floor.recall.fields import tables_of
    from controller.floor.reports.output import SHEETS, report_json, sheet
    from controller.floor.reports.report import floor_report
    from controller.floor.store import FloorArchive

    try:
        tables = tables_of({"pit": pit}, known.pits)
    except ValueError as error:
        raise usage(str(error)) from None
    archive = FloorArchive(Path(known.stores))
    report = floor_report(archive, period, known.calendar(), known.pits, tables)
    if as_json:
        print_json(report_json(report))
    elif folder:
        _write(folder, {name: sheet(report, name) for name in SHEETS})
    else:
        _show(report)


def _report_table(
    known: "FloorConfig",
    period: Period,
    table: str,
    epoch: str,
    pit: str,
    folder: Path | None,
    *,
    as_json: bool,
) -> None:
    from controller.floor.reports.of_table import stored_currency, table_report
    from controller.floor.store import FloorArchive
    from controller.past.reports.json_form import report_json
    from controller.past.reports.report import ReportRequest
    from controller.past.reports.sheets import SHEETS, sheet

    if pit:
        raise usage("--table and --pit are not allowed together; allowed: one of them")
    archive = FloorArchive(Path(known.stores))
    name = _journal(table, epoch, list(archive.heads()))
    request = ReportRequest(period, known.reports.settings(0, known.reports.zone))
    with using(stored_currency(archive, name)):
        report = table_report(archive, name, request)
        if as_json:
            print_json(report_json(report))
        elif folder:
            _write(folder, {sheet_name: sheet(report, sheet_name) for sheet_name in SHEETS})
        else:
            _show_table(report)


def _journal(table: str, epoch: str, names: list[JournalName]) -> JournalName:
    found = [name for name in names if name.table == table and epoch in ("", name.epoch)]
    if len(found) != 1:
        known = ", ".join(f"{name.table} {name.epoch}" for name in found or names) or "none"
        raise usage(f"table = {table!r}: {'which journal?' if found else 'not stored;'} there is: {known}")
    return found[0]


def _write(folder: Path, sheets: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in sheets.items():
        (folder / f"{name}.csv").write_bytes(content)
    typer.echo(f"tableside: {len(sheets)} sheets in {folder}", err=True)


def _show_table(report: "Report") -> None:
    from rich.console import Console

    from controller.past.reports.terminal import attention_lines, report_tables

    console = Console(markup=False, highlight=False)
    for each in report_tables(report):
        console.print(each)
    for line in attention_lines(report):
        console.print(line, soft_wrap=True)


def _show(report: "FloorReport") -> None:
    from rich.console import Console
    from rich.table import Table

    from controller.floor.reports.report import GROUPS

    console = Console(markup=False, highlight=False)
    for group in GROUPS:
        lines = report.groups[group]
        if len({line.name for line in lines}) < 2 and group != GROUPS[0]:
            continue
        shown = Table(title=f"{report.period.title}, by {group}")
        for heading in (group, "currency", "rounds", "void", "handle", "win", "hold %", "rounds/h"):
            shown.add_column(heading, justify="left" if heading in (group, "currency") else "right")
        for line in (*lines, *report.totals):
            shown.add_row(*_cells(line))
        console.print(shown)


def _cells(line: "ReportLine") -> tuple[str, ...]:
    from controller.floor.reports.output import percent

    of, currency = line.figures, line.money
    per_hour = "-" if of.per_hour is None else f"{of.per_hour:.1f}"
    sums = currency.text(of.handle), currency.text(of.win), percent(of)
    return line.name, currency.code, str(of.rounds), str(of.void), *sums, per_hour
