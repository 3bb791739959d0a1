"""The command `tableside floor report`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson
from controller.commands.config_file import FloorFile

PeriodName = Annotated[
    str,
    typer.Option(
        "--period", metavar="PERIOD", help='A gaming day, or a shift as "2026-11-20 14:00"; today without it.'
    ),
]
Pit = Annotated[str, typer.Option("--pit", metavar="PIT", help="The tables of one pit.")]
OneTable = Annotated[
    str, typer.Option("--table", metavar="TABLE", help="One table: the report that the table itself makes.")
]
EpochName = Annotated[
    str, typer.Option("--epoch", metavar="EPOCH", help="Which journal of the table, if it had several.")
]
Folder = Annotated[
    Path | None,
    typer.Option("--csv", metavar="DIR", file_okay=False, help="Write every sheet into this folder."),
]


def report_command(
    config: FloorFile,
    period: PeriodName = "",
    pit: Pit = "",
    table: OneTable = "",
    epoch: EpochName = "",
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Count a gaming day or a shift by table, pit, shift, dealer and game.

    Example: tableside floor report --period 2026-11-20 --pit main --csv sheets --config floor.toml
    """
    from controller.commands.handlers.floor_report import handle

    handle(config, period=period, pit=pit, table=table, epoch=epoch, folder=folder, as_json=as_json)
