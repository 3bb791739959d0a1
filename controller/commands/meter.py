"""The command `tableside table meter`."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson, OnlyPreview, OtherPerson, Token, Who, Why
from controller.commands.config_file import ConfigFile


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
    from controller.commands.handlers.meter import handle

    handle(
        spot,
        amount=amount,
        config=config,
        who=who,
        second=second,
        why=why,
        token=token,
        preview=preview,
        as_json=as_json,
    )
