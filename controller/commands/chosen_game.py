"""The game that a command is about."""

from controller.commands.arguments import options_argument
from controller.commands.exit_codes import usage
from controller.games import UnknownGame, open_game
from controller.games.game import Game
from controller.games.option_faults import BadOptions


def game_argument(name: str, options: str) -> Game:
    """The game `name` with its options from a JSON text. Raises typer.Exit after printing what is wrong."""
    try:
        return open_game(name, options_argument(options))
    except UnknownGame as error:
        raise usage(str(error)) from None
    except BadOptions as error:
        raise usage(*map(str, error.faults)) from None
