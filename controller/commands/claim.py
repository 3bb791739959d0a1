"""The command `tableside table claim`."""

from typing import Annotated

import typer

from controller.commands.acting import ActOptions, OnlyPreview, Token, carry_out, show_preview
from controller.commands.arguments import AsJson
from controller.commands.config_file import ConfigFile
from controller.commands.exit_codes import usage
from controller.commands.persons import Who, Why, persons
from controller.socket.acts import STEP_ROLES
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import MOST_NUMBER, STEPS, read_number, read_word


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
    try:
        fields: dict[str, object] = {"step": step, "claim": number}
        known = read_word(fields, "step", STEPS)
        body = {"step": known, "claim": read_number(fields, "claim", 1, MOST_NUMBER), "token": token or ""}
    except NotAllowed as error:
        raise usage(str(error)) from None
    person = persons(who, why, role=STEP_ROLES[known])
    options = ActOptions(only_preview=preview, as_json=as_json)
    carry_out(config, {"step": {**body, "why": person.why}}, person, show_preview, options)
