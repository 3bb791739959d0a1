"""Arguments and options that several commands share. An invalid value is a usage error."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.commands.exit_codes import usage
from controller.config import AccessSection, Config, ConfigError, read
from controller.config.reading import read_document
from controller.games import GAMES, UnknownGame, open_game
from controller.games.game import Game
from controller.games.option_faults import BadOptions

if TYPE_CHECKING:
    from controller.floor.settings import FloorConfig

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"A game's id: {', '.join(GAMES)}.")]
Options = Annotated[str, typer.Option(metavar="JSON", help="The game's options, as a JSON object.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
FLOOR_KEY = "property"
"""A key that the configuration of a floor has, and that of a table has not."""
_AMOUNT = re.compile(r"([0-9]{1,10})\.([0-9]{2})")
ALLOWED_OBJECT = """allowed: an object, as '{"decks": 6}'"""


def game_argument(name: str, options: str) -> Game:
    """The game `name` with its options from a JSON text. Raises typer.Exit after printing what is wrong."""
    try:
        return open_game(name, options_argument(options))
    except UnknownGame as error:
        raise usage(str(error)) from None
    except BadOptions as error:
        raise usage(*map(str, error.faults)) from None


def options_argument(options: str) -> dict[str, Any]:
    """The JSON object in this text. Raises typer.Exit after printing what is wrong."""
    try:
        chosen = json.loads(options)
    except (ValueError, RecursionError) as error:
        raise usage(f"--options {options!r} is no JSON: {error}; {ALLOWED_OBJECT}") from None
    if not isinstance(chosen, dict):
        raise usage(f"--options {options!r} is no JSON object; {ALLOWED_OBJECT}")
    return chosen


def cents_argument(name: str, amount: str) -> int:
    """The cents of an amount of money. Raises typer.Exit after printing what is wrong."""
    found = _AMOUNT.fullmatch(amount)
    if not found:
        raise usage(f"{name} = {amount!r}: not allowed; allowed: an amount with two decimals, as 10250.00")
    return int(found[1] + found[2])


def print_json(value: Mapping[str, object] | Sequence[object]) -> None:
    """Print the value as JSON on one line. Every command with --json prints with this function."""
    typer.echo(json.dumps(value))


def read_config(path: Path) -> Config:
    """The configuration in this file. Raises typer.Exit after printing its faults."""
    try:
        return read(path)
    except ConfigError as error:
        raise usage(*error.faults) from None


def access_section(path: Path) -> AccessSection:
    """What the configuration of a table or a floor in this file says about accounts. Raises typer.Exit after
    printing its faults."""
    return table_or_floor(path).access


def table_or_floor(path: Path) -> "Config | FloorConfig":
    """The configuration of a table or a floor in this file. Raises typer.Exit after printing its faults."""
    try:
        document = read_document(path)
    except ConfigError as error:
        raise usage(*error.faults) from None
    return floor_config(path) if FLOOR_KEY in document else read_config(path)


def floor_config(path: Path) -> "FloorConfig":
    """The floor's configuration in this file. Raises typer.Exit after printing its faults."""
    from controller.floor.settings import read_floor  # it loads NATS, which no other command needs

    try:
        return read_floor(path)
    except ConfigError as error:
        raise usage(*error.faults) from None


def configured_journal(path: Path) -> Path:
    """The journal of the table with this configuration. Raises typer.Exit after printing its faults."""
    return Path(read_config(path).journal.path)
