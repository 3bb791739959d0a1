"""What `tableside game diagram` does."""

import typer

from controller.commands.arguments import print_json
from controller.commands.chosen_game import game_argument
from controller.round.machine import diagram


def handle(game: str, as_json: bool) -> None:
    mermaid = diagram(game_argument(game, "{}"))
    if as_json:
        print_json({"game": game, "mermaid": mermaid})
    else:
        typer.echo(mermaid)
