"""The command `tableside game new`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.exit_codes import failed, usage
from controller.plugin_kit.scaffold import NewGame, ScaffoldError, write


def new_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The id of the game, as copper-jack.")],
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A folder that does not exist; ./NAME if absent.")
    ] = None,
) -> None:
    """Begin a game of your own: a folder with its rules, its tests and its packaging.

    Example: tableside game new copper-jack
    """
    try:
        game = NewGame(name)
    except ScaffoldError as error:
        raise usage(str(error)) from None
    try:
        written = write(game, folder or Path(name))
    except ScaffoldError as error:
        raise failed(str(error)) from None
    for path in written:
        typer.echo(path)
