"""The command `tableside table check`, and the text that it prints."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson
from controller.commands.config_file import ConfigArgument

SECONDS = 15

Strict = Annotated[bool, typer.Option("--strict", help="End with status 1 if there is a warning.")]
Seconds = Annotated[
    int,
    typer.Option("--seconds", min=0, help="Seconds that the main bet may take; 0: it is left out."),
]


def check_command(
    file: ConfigArgument, strict: Strict = False, seconds: Seconds = SECONDS, as_json: AsJson = False
) -> None:
    """Check a table's configuration: its faults, and where it gives the player the edge.

    Edges are exact, except that of the main bet in most games: many rounds by good strategy measure it.

    Example: tableside table check table.toml --strict
    """
    from controller.commands.handlers.check_config import handle

    handle(file, strict=strict, seconds=seconds, as_json=as_json)
