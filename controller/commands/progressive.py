"""The command `tableside floor progressive`."""

import typer

from controller.commands.config_file import ProgressiveFile


def progressive_command(
    config: ProgressiveFile,
) -> None:
    """Run one of the two instances of a linked progressive.

    It decides contributions and claims of the tables, keeps its own journal,
    and announces the amount. The other instance follows, and takes over within
    seconds. Logs go to standard error, one JSON object a line.

    Example: tableside floor progressive --config progressive.toml
    """
    from controller.floor.progressive.service import serve

    raise typer.Exit(serve(config))
