"""The command `tableside table meter`."""

from typing import Annotated

import typer

from controller.commands.acting import ActOptions, OnlyPreview, Token, carry_out, show_preview
from controller.commands.arguments import AsJson, cents_argument
from controller.commands.config_file import ConfigFile
from controller.commands.persons import OtherPerson, Who, Why, persons


def meter_command(
    spot: Annotated[str, typer.Argument(metavar="SPOT", help="The jackpot's spot, as blazing-7s.")],
    amount: Annotated[
        str, typer.Argument(metavar="AMOUNT", help="The amount that it must show, as 10250.00.")
    ],
    config: ConfigFile,
    who: Who,
    second: OtherPerson,
    why: Why,
    token: Token = None,
    preview: OnlyPreview = False,
    as_json: AsJson = False,
) -> None:
    """Correct what a jackpot's meter shows, between rounds, in the names of two supervisors.

    The command asks both for their passwords.

    Example: tableside table meter blazing-7s 99.00 --config table.toml
    --who Smith --second Jones --why recount
    """
    both = persons(who, why, second)
    body = {"spot": spot, "cents": cents_argument("AMOUNT", amount), "why": both.why, "token": token or ""}
    options = ActOptions(only_preview=preview, as_json=as_json, by_two=True)
    carry_out(config, {"meter": body}, both, show_preview, options)
