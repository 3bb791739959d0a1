"""Arguments and options that several commands share. An invalid value is a usage error."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.commands.exit_codes import usage

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's id, as tableside game list shows it.")
]
Options = Annotated[str, typer.Option(metavar="JSON", help="The game's options, as a JSON object.")]
ChartFile = Annotated[
    Path | None,
    typer.Option("--chart", metavar="FILE", dir_okay=False, help="Play by these charts, not the game's."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
Who = Annotated[str, typer.Option(metavar="NAME", help="Who decides; the command asks for the password.")]
OptionalWho = Annotated[
    str | None, typer.Option(metavar="NAME", help="Who decides; the command asks for the password.")
]
Second = Annotated[str | None, typer.Option(metavar="NAME", help="Another person, if one is not enough.")]
OtherPerson = Annotated[
    str, typer.Option("--second", metavar="NAME", help="Another supervisor, who types a password, too.")
]
Why = Annotated[str, typer.Option(metavar="TEXT", help="Why; the journal keeps it.")]
OptionalWhy = Annotated[str | None, typer.Option(metavar="TEXT", help="Why; the journal keeps it.")]
Override = Annotated[
    str | None,
    typer.Option(
        metavar="REASON", help="Root only: act without signing in, for this reason; not with --who."
    ),
]
Token = Annotated[str | None, typer.Option(help="The token of a preview: accepts what it showed.")]
OnlyPreview = Annotated[bool, typer.Option("--preview", help="Only show what it would change.")]
By = Annotated[str, typer.Option(help="Who changes it, for the journal. Default: the name of this login.")]
_ROUNDS = re.compile(r"[1-9][0-9_]{0,15}(e[0-9]{1,2})?")
MOST_ROUNDS = 10**12
_AMOUNT = re.compile(r"([0-9]{1,10})\.([0-9]{2})")
ALLOWED_OBJECT = """allowed: an object, as '{"decks": 6}'"""


def options_argument(options: str) -> dict[str, Any]:
    """The JSON object in this text. Raises typer.Exit after printing what is wrong."""
    try:
        chosen = json.loads(options)
    except (ValueError, RecursionError) as error:
        raise usage(f"--options {options!r} is not JSON: {error}; {ALLOWED_OBJECT}") from None
    if not isinstance(chosen, dict):
        raise usage(f"--options {options!r} is not a JSON object; {ALLOWED_OBJECT}")
    return chosen


def cents_argument(name: str, amount: str) -> int:
    """The cents of an amount of money. Raises typer.Exit after printing what is wrong."""
    found = _AMOUNT.fullmatch(amount)
    if not found:
        raise usage(f"{name} = {amount!r}: not allowed; allowed: an amount with two decimals, as 10250.00")
    return int(found[1] + found[2])


def rounds_argument(written: str) -> int:
    """The number of rounds that "20000" or "1e9" names. Raises typer.Exit after printing what is wrong."""
    found = int(float(written)) if _ROUNDS.fullmatch(written) else 0
    if not 1 <= found <= MOST_ROUNDS:
        raise usage(f"--rounds {written!r}: not allowed; allowed: a whole number from 1 to 1e12, as 1e9")
    return found


def print_json(value: Mapping[str, object] | Sequence[object]) -> None:
    """Print the value as JSON on one line. Every command with --json prints with this function."""
    typer.echo(json.dumps(value))
