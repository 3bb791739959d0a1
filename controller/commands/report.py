"""The command `tableside journal report`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson
from controller.commands.config_file import JournalConfig

JournalFile = Annotated[
    Path | None, typer.Option("--journal", metavar="FILE", help="The journal, if no configuration names it.")
]
Day = Annotated[str | None, typer.Option("--day", metavar="DATE", help="The gaming day of this date.")]
Shift = Annotated[
    str | None, typer.Option("--shift", metavar="BEGIN", help='The shift, as "2026-11-19 14:00".')
]
From = Annotated[str | None, typer.Option("--from", metavar="BEGIN", help="A gaming day, or a time.")]
To = Annotated[
    str | None,
    typer.Option("--to", metavar="END", help="A gaming day (all of it), or a time; now if absent."),
]
Folder = Annotated[
    Path | None,
    typer.Option("--csv", metavar="DIR", file_okay=False, help="Write every sheet into this folder."),
]


def report_command(
    journal: JournalFile = None,
    config: JournalConfig = None,
    day: Day = None,
    shift: Shift = None,
    begin: From = None,
    end: To = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Count a shift or a gaming day: rounds, pace, wagers, hits, meters, devices, people.

    The journal is only read; its table may run meanwhile. Today, if no period is named.

    Example: tableside journal report --day 2026-11-20 --csv sheets --config table.toml
    """
    from controller.commands.handlers.report import handle

    handle(journal, config=config, day=day, shift=shift, begin=begin, end=end, folder=folder, as_json=as_json)
