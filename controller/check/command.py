"""The command `tableside check-config`."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from controller.check.report import Report, report, written
from controller.check.tables import edges_table, heading, remarks
from controller.chosen import AsJson, print_json
from controller.config import Config, ConfigError, read
from controller.endings import usage
from controller.help_panels import TABLE

SECONDS = 15

File = Annotated[Path, typer.Argument(metavar="FILE", help="The table's configuration.")]
Strict = Annotated[bool, typer.Option("--strict", help="End with status 1 where there is a warning.")]
Seconds = Annotated[
    int,
    typer.Option("--seconds", min=0, help="How long the main bet may be played at most; 0: not at all."),
]


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command("check-config", rich_help_panel=TABLE)(check_command)


def check_command(
    file: File, strict: Strict = False, seconds: Seconds = SECONDS, as_json: AsJson = False
) -> None:
    """Check a table's configuration: its faults, and where it gives the player the edge.

    Edges are worked out exactly; the main bet, but for Easy Jack's, is played by good strategy instead.

    Example: tableside check-config table.toml --strict
    """
    found = _report(_read(file, as_json=as_json), seconds)
    if as_json:
        print_json(written(file, found))
    else:
        _show(found)
    raise typer.Exit(1 if strict and found.warnings else 0)


def _read(file: Path, *, as_json: bool) -> Config:
    try:
        return read(file)
    except ConfigError as error:
        if as_json:
            print_json({"file": str(file), "faults": list(error.faults)})
        raise usage(*error.faults) from None


def _report(config: Config, seconds: int) -> Report:
    console = Console(stderr=True)
    waits = console.status("playing the main bet") if console.is_terminal else nullcontext()
    with waits:
        return report(config, seconds)


def _show(found: Report) -> None:
    console = Console(markup=False, highlight=False)
    console.print(*heading(found), sep="\n", soft_wrap=True)
    console.print(edges_table(found.edges))
    console.print(*remarks(found), sep="\n", soft_wrap=True)
