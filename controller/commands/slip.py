"""The command `tableside journal slip`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.config_file import ConfigFile

Number = Annotated[int, typer.Argument(metavar="CLAIM", min=1, help="The claim's number.")]
Output = Annotated[Path, typer.Option("--output", metavar="FILE", help="The page, with mode 0600.")]


def slip_command(claim: Number, config: ConfigFile, to_file: Output) -> None:
    """Write the slip of a won jackpot as one HTML page, to print, to sign and to keep.

    The journal is only read; its table may run meanwhile.

    Example: tableside journal slip 12 --output slip-12.html --config table.toml
    """
    from controller.commands.handlers.slip import handle

    handle(claim, config, to_file)
