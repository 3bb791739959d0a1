"""The command `tableside supervise`."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from controller.commands.arguments import AsJson, ConfigFile
from controller.commands.exit_codes import usage
from controller.commands.supervisor_client import (
    DecisionOptions,
    Fields,
    OnlyPreview,
    Second,
    Token,
    Who,
    Why,
    decide,
    print_decision,
    send,
)
from controller.table.record.choices import CHOICE_NAMES, CHOICES

Choice = Annotated[
    str,
    typer.Argument(metavar="CHOICE", help=f"{', '.join(CHOICE_NAMES[:-1])} or {CHOICE_NAMES[-1]}."),
]
Card = Annotated[
    str | None, typer.Option(metavar="CARD", help="With card, assign, correct: which it is, as Ts or 9h.")
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
    str | None, typer.Option(metavar="NUMBER", help="With entry: that of the licence of who opens it.")
]


def supervise_command(
    choice: Choice,
    config: ConfigFile,
    who: Who,
    why: Why,
    card: Card = None,
    seat: Seat = None,
    hand: Hand = None,
    number: Number = None,
    old: Old = None,
    round_number: RoundNumber = None,
    device: Device = None,
    licence: Licence = None,
    second: Second = None,
    token: Token = None,
    preview: OnlyPreview = False,
    as_json: AsJson = False,
) -> None:
    row = next((row for name, row in CHOICES.items() if name == choice), None)
    if row and not (row.only_recorded or row.shoe_only or round_number or token):
        raise usage("--round is missing; needed: the number of the round that you mean, as the page shows it")
    fields: Fields = {
        "choice": choice,
        "who": who,
        "why": why,
        "card": card,
        "seat": seat,
        "hand": hand,
        "number": number,
        "old": old,
        "round": round_number,
        "device": device,
        "licence": licence,
        "second": second,
        "token": token,
    }
    if row and row.only_recorded and not preview:
        send(config, fields)
        if as_json:
            print_decision(done=True, preview=None)
    else:
        decide(config, fields, _print, DecisionOptions(preview, as_json, bool(row and row.replays)))


_SUMMARIES = "\n".join(f"{name}: {CHOICES[name].summary}" for name in CHOICE_NAMES)
supervise_command.__doc__ = f"""Decide about a suspended round of a running table, or correct a misread card.

{_SUMMARIES}

Name the round with --round: the table refuses the decision while another round is in play.

Example: tableside supervise resume --round 105 --config table.toml --who "A. Smith" --why "seen"
"""


def _print(preview: Fields) -> None:
    console = Console(markup=False, highlight=False)
    for sentence in preview["preview"]:
        console.print(sentence)
    if preview["changes"]:
        console.print(_table(preview["changes"]))
    if preview["token"]:
        console.print(f"Token: {preview['token']}")


def _table(changes: list[dict[str, str]]) -> Table:
    table = Table("what", "is", "would be")
    for change in changes:
        table.add_row(change["about"], change["before"], change["after"])
    return table
