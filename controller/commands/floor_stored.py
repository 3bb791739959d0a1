"""The commands `tableside floor ...` that ask for what is stored."""

import sqlite3
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from controller.calendar import calendar_date
from controller.commands.arguments import AsJson, floor_config, print_json
from controller.commands.exit_codes import failed, usage
from controller.floor.day_file import StoreError

FloorFile = Annotated[Path, typer.Option("--config", metavar="FILE", help="The floor's configuration.")]
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


def named_day(text: str) -> date:
    """Raises typer.Exit for a text that is no date."""
    try:
        return calendar_date(text)
    except ValueError:
        raise usage(f"day = {text!r}: no date; allowed: as 2026-11-20") from None
