"""The command `tableside table supervise`."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from controller.commands.acting import ActOptions, OnlyPreview, Token, carry_out, show_ending
from controller.commands.arguments import AsJson
from controller.commands.config_file import ConfigFile
from controller.commands.exit_codes import usage
from controller.commands.persons import (
    OptionalWho,
    OptionalWhy,
    Override,
    Persons,
    Second,
    persons_or_override,
)
from controller.commands.running_table import Fields
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import read_choice
from controller.table.record.choices import CHOICE_NAMES, CHOICES

Choice = Annotated[
    str,
    typer.Argument(metavar="CHOICE", help=f"{', '.join(CHOICE_NAMES[:-1])} or {CHOICE_NAMES[-1]}."),
]
Card = Annotated[
    str | None,
    typer.Option(metavar="CARD", help="With card, assign, correct: which card it is, as Ts or 9h."),
]
Seat = Annotated[int | None, typer.Option(help="With assign, correct: the seat; 0 is the dealer.")]
Hand = Annotated[int | None, typer.Option(help="The hand of the seat, from 1; 1 if absent.")]
Number = Annotated[int | None, typer.Option(help="With correct: which card of the hand, from 1.")]
Old = Annotated[str | None, typer.Option(metavar="CARD", help="With correct: what the card was read as.")]
RoundNumber = Annotated[
    int | None,
    typer.Option("--round", help="The round that you mean, as the page shows it; not with reload, entry."),
]
Device = Annotated[str | None, typer.Option("--device", metavar="NAME", help="With entry: what is opened.")]
Licence = Annotated[
    str | None,
    typer.Option(metavar="NUMBER", help="With entry: the licence number of the person who opens it."),
]


def supervise_command(
    choice: Choice,
    config: ConfigFile,
    who: OptionalWho = None,
    why: OptionalWhy = None,
    card: Card = None,
    seat: Seat = None,
    hand: Hand = None,
    number: Number = None,
    old: Old = None,
    round_number: RoundNumber = None,
    device: Device = None,
    licence: Licence = None,
    second: Second = None,
    override: Override = None,
    token: Token = None,
    preview: OnlyPreview = False,
    as_json: AsJson = False,
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


_SUMMARIES = "\n".join(f"{name}: {CHOICES[name].summary}" for name in CHOICE_NAMES)
supervise_command.__doc__ = f"""Decide about a suspended round of a running table, or correct a misread card.

{_SUMMARIES}

The command asks for the password. Name the round with --round: the table
refuses the decision while another round is in play.

Example: tableside table supervise resume --round 105 --config table.toml --who "A. Smith" --why "seen"
"""


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
