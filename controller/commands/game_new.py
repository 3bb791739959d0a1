"""The command `tableside game new`."""

from pathlib import Path
from typing import Annotated

import typer


def new_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The id of the game, as copper-jack.")],
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A folder that does not exist; ./NAME if absent.")
    ] = None,
) -> None:
    """Begin a game of your own: a folder with its rules, its tests and its packaging.

    Example: tableside game new copper-jack
    """
    from controller.commands.handlers.game_new import handle

    handle(name, folder)
