"""The command `tableside meter`."""

import re
from typing import Annotated

import typer

from controller.commands.arguments import AsJson, ConfigFile
from controller.commands.exit_codes import usage
from controller.commands.supervisor_client import (
    DecisionOptions,
    Fields,
    OnlyPreview,
    Token,
    Who,
    Why,
    decide,
    show_preview,
)

Other = Annotated[str, typer.Option("--second", metavar="NAME", help="Another person.")]

_AMOUNT = re.compile(r"([0-9]{1,10})\.([0-9]{2})")


def meter_command(
    spot: Annotated[str, typer.Argument(metavar="SPOT", help="The jackpot's spot, as blazing-7s.")],
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="What it is to show, as 10250.00.")],
    config: ConfigFile,
    who: Who,
    second: Other,
    why: Why,
    token: Token = None,
    preview: OnlyPreview = False,
    as_json: AsJson = False,
) -> None:
    """Correct what a jackpot's meter shows, between rounds, in the names of two persons.

    Example: tableside meter blazing-7s 99.00 --config table.toml --who Smith --second Jones --why recount
    """
    fields: Fields = {
        "meter": spot,
        "cents": _cents(amount),
        "who": who,
        "second": second,
        "why": why,
        "token": token,
    }
    decide(config, fields, show_preview, DecisionOptions(preview, as_json))


def _cents(amount: str) -> int:
    found = _AMOUNT.fullmatch(amount)
    if not found:
        raise usage(f"AMOUNT = {amount!r}: not allowed; allowed: an amount with two decimals, as 10250.00")
    return int(found[1] + found[2])
