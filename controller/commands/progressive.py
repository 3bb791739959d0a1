"""The command `tableside progressive`."""

from pathlib import Path
from typing import Annotated

import typer


def progressive_command(
    config: Annotated[
        Path, typer.Option("--config", help="The configuration of the instance, such as progressive.toml.")
    ],
) -> None:
    """Run one of the two instances of a linked progressive.

    It decides contributions and claims of the tables, keeps its own journal,
    and announces the amount. The other instance follows, and takes over within
    seconds. Logs go to standard error, one JSON object a line.

    Example: tableside progressive --config progressive.toml
    """
    from controller.floor.progressive.service import serve

    raise typer.Exit(serve(config))
