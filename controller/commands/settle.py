"""The command `tableside game settle`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson


def settle_command(
    file: Annotated[
        Path | None,
        typer.Argument(
            exists=True,
            dir_okay=False,
            readable=True,
            metavar="FILE",
            help="Round scripts; standard input if absent.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Settle rounds that are written down as text, one JSON object a line.

    One answer for each, in the same order: JSON, or tables where a person reads.

    Example: tableside game settle --json < rounds.jsonl
    """
    from controller.commands.handlers.settle import handle

    handle(file, as_json)
