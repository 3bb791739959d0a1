"""What `tableside game new` does."""

from pathlib import Path

import typer

from controller.commands.exit_codes import failed, usage
from controller.plugin_kit.scaffold import NewGame, ScaffoldError, write


def handle(name: str, folder: Path | None) -> None:
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
