"""The command `tableside game diagram`."""

import typer

from controller.commands.arguments import AsJson, GameName, game_argument, print_json
from controller.round.machine import diagram


def diagram_command(game: GameName, as_json: AsJson = False) -> None:
    """Print the state machine of a round, as a Mermaid diagram.

    Example: tableside game diagram easy-jack
    """
    mermaid = diagram(game_argument(game, "{}"))
    if as_json:
        print_json({"game": game, "mermaid": mermaid})
    else:
        typer.echo(mermaid)
