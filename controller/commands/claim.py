"""The command `tableside table claim`."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson, OnlyPreview, Token, Who, Why
from controller.commands.config_file import ConfigFile


def claim_command(
    step: Annotated[str, typer.Argument(metavar="STEP", help="confirm, verify, second, pay or void.")],
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The claim's number.")],
    config: ConfigFile,
    who: Who,
    why: Why,
    token: Token = None,
    preview: OnlyPreview = False,
    as_json: AsJson = False,
) -> None:
    """Take the claim of a won jackpot one step further.

    confirm: the dealer has seen the hand.
    verify: a supervisor, who is not the dealer, has verified it.
    second: a third person has verified it, too; only large claims need this.
    pay: the jackpot was paid by hand.
    void: the claim is not paid; the amount goes back to the jackpot.

    The command asks for the password, or the dealer's PIN.

    Example: tableside table claim verify 1 --config table.toml --who "A. Smith" --why "seen"
    """
    from controller.commands.handlers.claim import handle

    handle(
        step, number=number, config=config, who=who, why=why, token=token, preview=preview, as_json=as_json
    )
