"""What the commands `tableside floor ...` do that ask for what is stored."""

import sqlite3
import sys
import time
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from controller.calendar import Calendar, calendar_date
from controller.commands.arguments import print_json
from controller.commands.configurations import floor_config
from controller.commands.exit_codes import failed, usage
from controller.floor.store_file import StoreError
from controller.process.faults import FAILED

if TYPE_CHECKING:
    from controller.floor.recall.search import FoundRounds
    from controller.floor.verify.check import StoreReport


def rebuild_command(config: Path, day: str, as_json: bool) -> None:
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
    config: Path, *, day: str, table: str, journal: Path | None, progressive: Path | None, as_json: bool
) -> None:
    from controller.floor.register import FloorRegister
    from controller.floor.store import FloorArchive
    from controller.floor.verify.check import check_store
    from controller.floor.verify.progressive_log import check_progressive
    from controller.floor.verify.table_journal import check_table_journal
    from controller.journal.errors import JournalError

    known = floor_config(config)
    stores = Path(known.stores)
    chosen = named_day(day) if day else None
    try:
        with FloorRegister(stores, time.time) as register:
            decisions = register.decisions()
        report = check_store(stores, decisions, chosen, table)
        archive = FloorArchive(stores)
        if progressive:
            found = check_progressive(archive, progressive, known.levels, known.calendar())
            report = replace(report, findings=(*report.findings, *found))
        if journal:
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


def search_command(
    config: Path,
    *,
    table: str,
    pit: str,
    period: str,
    number: str,
    seat: str,
    wager: str,
    above: str,
    outcome: str,
    cards: str,
    dealer: str,
    person: str,
    act: str,
    game: str,
    most: int,
    csv: bool,
    as_json: bool,
) -> None:
    from controller.floor.recall.fields import floor_query
    from controller.floor.recall.output import rounds_csv, rounds_json
    from controller.floor.recall.search import search_all
    from controller.floor.store import FloorArchive

    if csv and as_json:
        raise usage("--csv and --json are not allowed together; allowed: one of them")
    fields = {"table": table, "pit": pit, "period": period, "number": number, "seat": seat, "wager": wager}
    fields |= {"above": above, "outcome": outcome, "cards": cards, "dealer": dealer, "person": person}
    fields |= {"act": act, "game": game}
    known = floor_config(config)
    try:
        query = floor_query(fields, known.pits, known.calendar())
    except ValueError as error:
        raise usage(str(error)) from None
    try:
        found = search_all(FloorArchive(Path(known.stores)), query, most)
    except (StoreError, OSError, sqlite3.Error) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json(rounds_json(found))
    elif csv:
        sys.stdout.buffer.write(rounds_csv(found.rounds))
    else:
        _show_rounds(found, known.calendar())


def _show_rounds(found: "FoundRounds", calendar: Calendar) -> None:
    for one in found.rounds:
        played = one.round.played
        currency = one.round.money
        paid = "unknown" if played.paid is None else f"{currency.text(played.paid)} {currency.code}".strip()
        typer.echo(
            f"{calendar.format_time(one.round.at)}  {one.table}  round {one.round.number}  {played.outcome}  "
            f"paid {paid}  {one.round.dealer or 'dealer not recorded'}"
        )
    if not found.rounds:
        typer.echo("No such round.")
    elif found.before:
        typer.echo("There may be older ones: name a period, or more rounds with --most.")


def named_day(text: str) -> date:
    """Raises typer.Exit if the text is not a date."""
    try:
        return calendar_date(text)
    except ValueError:
        raise usage(f"day = {text!r}: no date; allowed: as 2026-11-20") from None
