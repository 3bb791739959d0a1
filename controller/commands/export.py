"""The command `tableside journal export`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from controller.commands import choices
from controller.commands.config_file import JournalConfig


class Format(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"


class What(StrEnum):
    """The names of SHEETS, and the sessions of seats."""

    SETTLEMENTS = "settlements"
    METERS = "meters"
    ALERTS = "alerts"
    SEATS = "seats"


JournalFile = Annotated[
    Path | None,
    typer.Argument(metavar="JOURNAL", help="The journal's file, unless --config names it."),
]
AsFormat = Annotated[Format, typer.Option("--format", help="All rows as JSON Lines, or a sheet as CSV.")]
Of = Annotated[
    What | None,
    typer.Option(
        "--what",
        help="With --format csv: wagers (the default), jackpot meters, or significant events. "
        "With any format: seats, for player rating.",
    ),
]
From = Annotated[str | None, typer.Option("--from", metavar="BEGIN", help="A round, a date, or a time.")]
To = Annotated[
    str | None, typer.Option("--to", metavar="END", help="A round, a date (all of it), or a time.")
]
OneRound = Annotated[int | None, typer.Option("--round", metavar="N", min=1, help="Only this round.")]
Absent = Annotated[
    int,
    typer.Option(
        "--absent",
        metavar="N",
        min=1,
        max=1000,
        help="With seats: rounds without a wager that end a session.",
    ),
]
Evidence = Annotated[
    int | None,
    typer.Option("--evidence", metavar="ROUND", min=1, help="The evidence of one round, as a tar file."),
]
Output = Annotated[
    Path | None, typer.Option("--output", metavar="FILE", help="Instead of standard output, with mode 0600.")
]


def export_command(
    journal: JournalFile = None,
    config: JournalConfig = None,
    as_format: AsFormat = Format.JSONL,
    what: Of = None,
    begin: From = None,
    end: To = None,
    one: OneRound = None,
    absent: Absent = choices.ABSENT,
    evidence_of: Evidence = None,
    to_file: Output = None,
) -> None:
    """Write what a journal keeps as JSON Lines, as a sheet, or as the evidence of one round.

    The journal is only read; its table may run meanwhile. The round in play is left out.

    Example: tableside journal export --format csv --from 2026-11-20 --output wagers.csv --config table.toml
    """
    from controller.commands.handlers.export import handle

    handle(
        journal,
        config=config,
        as_format=as_format,
        what=what,
        begin=begin,
        end=end,
        one=one,
        absent=absent,
        evidence_of=evidence_of,
        to_file=to_file,
    )
