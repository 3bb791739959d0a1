"""The command `tableside claim`."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson, ConfigFile
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
    """Take the claim of a won jackpot one step on.

    confirm: the dealer has seen the hand.
    verify: a supervisor has, another person than the dealer.
    second: so has a third person; only large claims need it.
    pay: it is paid by hand.
    void: it is not paid, the jackpot has it again.

    Example: tableside claim verify 1 --config table.toml --who "A. Smith" --why "seen"
    """
    fields: Fields = {"step": step, "claim": number, "who": who, "why": why, "token": token}
    decide(config, fields, show_preview, DecisionOptions(preview, as_json))
