"""What `tableside table supervise` does."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from controller.commands.acting import ActOptions, carry_out, show_ending
from controller.commands.exit_codes import usage
from controller.commands.persons import Persons, persons_or_override
from controller.commands.running_table import Fields
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import read_choice
from controller.table.record.choices import CHOICES


def handle(
    choice: str,
    *,
    config: Path,
    who: str | None,
    why: str | None,
    card: str | None,
    seat: int | None,
    hand: int | None,
    number: int | None,
    old: str | None,
    round_number: int | None,
    device: str | None,
    licence: str | None,
    second: str | None,
    override: str | None,
    token: str | None,
    preview: bool,
    as_json: bool,
) -> None:
    row = next((row for name, row in CHOICES.items() if name == choice), None)
    if row and not (row.only_recorded or row.shoe_only or round_number or token):
        raise usage("--round is missing; needed: the number of the round that you mean, as the page shows it")
    given = {
        "choice": choice,
        "card": card,
        "seat": seat,
        "hand": hand,
        "number": number,
        "old": old,
        "round": round_number,
        "device": device,
        "licence": licence,
        "token": token,
    }
    who_decides = persons_or_override(who, why, second, override)
    body = _checked(given, who_decides)
    options = ActOptions(
        only_preview=preview,
        no_preview=bool(row and row.only_recorded),
        as_json=as_json,
        must_accept=bool(row and row.replays),
    )
    carry_out(config, {"decision": body}, who_decides, _print, options)


def _checked(given: Fields, who_decides: Persons) -> Fields:
    """The fields of the decision that are given. Raises typer.Exit after printing what is wrong with them."""
    body = {name: value for name, value in given.items() if value is not None} | {"why": who_decides.why}
    names = {"who": who_decides.who or "root", "second": who_decides.second or None}
    try:
        read_choice({**body, **names})
    except NotAllowed as error:
        raise usage(str(error)) from None
    return body


def _print(preview: Fields) -> None:
    console = Console(markup=False, highlight=False)
    for sentence in preview["sentences"]:
        console.print(sentence)
    if preview["changes"]:
        console.print(_table(preview["changes"]))
    show_ending(preview)


def _table(changes: list[dict[str, str]]) -> Table:
    table = Table("what", "is", "would be")
    for change in changes:
        table.add_row(change["about"], change["before"], change["after"])
    return table
