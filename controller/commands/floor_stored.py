"""The commands `tableside floor ...` that ask for what is stored."""

import sqlite3
import time
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.calendar import calendar_date
from controller.commands.arguments import AsJson, floor_config, print_json
from controller.commands.exit_codes import failed, usage
from controller.floor.day_file import StoreError
from controller.process.faults import FAILED

if TYPE_CHECKING:
    from controller.floor.verify.check import StoreReport

FloorFile = Annotated[Path, typer.Option("--config", metavar="FILE", help="The floor's configuration.")]
OneDay = Annotated[str, typer.Option("--day", metavar="DAY", help="One gaming day; all of them without.")]
OneTable = Annotated[str, typer.Option("--table", metavar="TABLE", help="One table; all of them without.")]
OwnJournal = Annotated[
    Path | None,
    typer.Option("--journal", metavar="FILE", help="A table's own journal to compare with what is stored."),
]
GamingDay = Annotated[str, typer.Argument(metavar="DAY", help="The gaming day, as 2026-11-20.")]


def rebuild_command(config: FloorFile, day: GamingDay, as_json: AsJson = False) -> None:
    """Derive rounds, actions, events and hits of a gaming day again from its rows.

    The service may run meanwhile.

    Example: tableside floor rebuild 2026-11-20 --config floor.toml
    """
    from controller.floor.derived.rebuild import rebuild
    from controller.floor.store import FloorArchive

    archive = FloorArchive(Path(floor_config(config).stores))
    try:
        done = rebuild(archive, named_day(day))
    except (StoreError, OSError, sqlite3.Error) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json(asdict(done))
        return
    typer.echo(f"{day}: {done.rounds} rounds from {done.rows} rows of {done.journals} journals")


def verify_command(
    config: FloorFile,
    day: OneDay = "",
    table: OneTable = "",
    journal: OwnJournal = None,
    as_json: AsJson = False,
) -> None:
    """Check everything that the floor has stored, again from the rows. Status 1: something is wrong.

    Chains over all days, signatures, heads, anchors, and what was derived. The
    service may run meanwhile.

    Example: tableside floor verify --day 2026-11-20 --config floor.toml
    """
    from controller.floor.register import FloorRegister
    from controller.floor.store import FloorArchive
    from controller.floor.verify.check import check_store
    from controller.floor.verify.table_journal import check_table_journal
    from controller.journal.errors import JournalError

    stores = Path(floor_config(config).stores)
    chosen = named_day(day) if day else None
    try:
        with FloorRegister(stores, time.time) as register:
            decisions = register.decisions()
        report = check_store(stores, decisions, chosen, table)
        if journal:
            archive = FloorArchive(stores)
            names = [name for name in archive.heads() if table in ("", name.table)]
            further = check_table_journal(archive, journal, names)
            report = replace(report, findings=(*report.findings, *further))
    except (StoreError, JournalError, OSError, sqlite3.Error) as error:
        raise failed(str(error)) from None
    _show_findings(report, as_json=as_json)
    raise typer.Exit(FAILED if report.findings else 0)


def _show_findings(report: "StoreReport", *, as_json: bool) -> None:
    if as_json:
        print_json({**asdict(report), "whole": not report.findings})
        return
    for finding in report.findings:
        typer.echo(finding.text)
    if report.more:
        typer.echo(f"{report.more} more like these")
    if not report.findings:
        checked = f"{report.rows} rows of {report.journals} journals in the files of {report.days} days"
        typer.echo(f"Nothing is wrong: {checked}")


def named_day(text: str) -> date:
    """Raises typer.Exit for a text that is no date."""
    try:
        return calendar_date(text)
    except ValueError:
        raise usage(f"day = {text!r}: no date; allowed: as 2026-11-20") from None
