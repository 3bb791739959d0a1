"""What `tableside journal report` does."""

import time
from pathlib import Path

import typer
from rich.console import Console

from controller.calendar import Calendar, Period, ReportSettings, UnknownPeriod
from controller.commands.arguments import print_json
from controller.commands.config_file import journal_config
from controller.commands.configurations import read_config
from controller.commands.exit_codes import failed, usage
from controller.commands.journal_money import use_currency_of
from controller.journal.errors import JournalError
from controller.past.reports.json_form import report_json
from controller.past.reports.making import make_report
from controller.past.reports.report import Report, ReportRequest
from controller.past.reports.sheets import SHEETS, sheet
from controller.past.reports.terminal import attention_lines, report_tables


def handle(
    journal: Path | None,
    *,
    config: Path | None,
    day: str | None,
    shift: str | None,
    begin: str | None,
    end: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    if folder and as_json:
        raise usage("--csv and --json are not allowed together; allowed: one of them")
    path, house = _table(journal, config)
    use_currency_of(path)
    period = _period(house.calendar, day, shift, begin, end)
    try:
        found = make_report(path, ReportRequest(period, house))
    except JournalError as error:
        raise failed(str(error)) from None
    if as_json:
        print_json(report_json(found))
    elif folder:
        _write(folder, found)
    else:
        _show(found)


def _table(journal: Path | None, config: Path | None) -> tuple[Path, ReportSettings]:
    """The journal and the settings of its reports."""
    if journal and config:
        raise usage("--config and --journal name one each; allowed: either one of them")
    if journal:
        return journal, ReportSettings()
    found = read_config(config or journal_config())
    return Path(found.journal.path), found.report_settings


def _period(
    calendar: Calendar, day: str | None, shift: str | None, begin: str | None, end: str | None
) -> Period:
    if sum(map(bool, (day, shift, begin))) > 1 or (end and not begin):
        raise usage("allowed: --day, or --shift, or --from with or without --to")
    try:
        if begin:
            last = calendar.instant(end, end=True) if end else time.time()
            return calendar.between(calendar.instant(begin), last)
        if day or shift:
            return calendar.named(day or shift or "")
        return calendar.day(calendar.day_of(time.time()))
    except UnknownPeriod as error:
        raise usage(str(error)) from None


def _show(found: Report) -> None:
    console = Console(markup=False, highlight=False)
    for table in report_tables(found):
        console.print(table)
    for line in attention_lines(found):
        console.print(line, soft_wrap=True)


def _write(folder: Path, found: Report) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in SHEETS:
            (folder / f"{name}.csv").write_bytes(sheet(found, name))
    except OSError as error:
        raise failed(f"{error.filename} cannot be written: {error.strerror}") from None
    typer.echo(f"tableside: {len(SHEETS)} sheets in {folder}", err=True)
