"""The game and the options that a command names; what is wrong with them is a usage error."""

import json
from typing import Annotated, Any

import typer

from controller.commands.exit_codes import usage
from controller.games import GAMES, UnknownGame, open_game
from controller.games.game import Game
from controller.games.options import BadOptions

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"A game's id: {', '.join(GAMES)}.")]
Options = Annotated[str, typer.Option(metavar="JSON", help="The game's options, as a JSON object.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
ALLOWED_OBJECT = """allowed: an object, as '{"decks": 6}'"""


def game_argument(name: str, options: str) -> Game:
    """The game of this id with options in JSON; raises typer.Exit after saying what is wrong."""
    try:
        return open_game(name, options_argument(options))
    except UnknownGame as error:
        raise usage(str(error)) from None
    except BadOptions as error:
        raise usage(*map(str, error.faults)) from None


def options_argument(options: str) -> dict[str, Any]:
    """The JSON object that is written there; raises typer.Exit after saying what is wrong."""
    try:
        chosen = json.loads(options)
    except (ValueError, RecursionError) as error:
        raise usage(f"--options {options!r} is no JSON: {error}; {ALLOWED_OBJECT}") from None
    if not isinstance(chosen, dict):
        raise usage(f"--options {options!r} is no JSON object; {ALLOWED_OBJECT}")
    return chosen


def print_json(value: dict[str, Any]) -> None:
    """On one line."""
    typer.echo(json.dumps(value))
