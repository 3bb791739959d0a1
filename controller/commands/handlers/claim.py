"""What `tableside table claim` does."""

from pathlib import Path

from controller.commands.acting import ActOptions, carry_out, show_preview
from controller.commands.exit_codes import usage
from controller.commands.persons import persons
from controller.socket.acts import STEP_ROLES
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import MOST_NUMBER, STEPS, read_number, read_word


def handle(
    step: str,
    *,
    number: int,
    config: Path,
    who: str,
    why: str,
    token: str | None,
    preview: bool,
    as_json: bool,
) -> None:
    try:
        fields: dict[str, object] = {"step": step, "claim": number}
        known = read_word(fields, "step", STEPS)
        body = {"step": known, "claim": read_number(fields, "claim", 1, MOST_NUMBER), "token": token or ""}
    except NotAllowed as error:
        raise usage(str(error)) from None
    person = persons(who, why, role=STEP_ROLES[known])
    options = ActOptions(only_preview=preview, as_json=as_json)
    carry_out(config, {"step": {**body, "why": person.why}}, person, show_preview, options)
