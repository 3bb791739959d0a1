"""The command `tableside supervise`."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from controller.commands.arguments import ConfigFile
from controller.commands.exit_codes import usage
from controller.commands.supervisor_client import (
    Fields,
    OnlyPreview,
    Second,
    Token,
    Who,
    Why,
    preview_and_send,
    send,
)
from controller.table.people.supervisor_commands import CHOICES

NEEDS_ACCEPTANCE = frozenset({"assign", "correct", "undo"})
"""Choices whose consequences a person has to accept, even without a terminal that can prompt for it."""
OF_ROUND = frozenset({*CHOICES} - {"reload", "entry"})
"""Choices that act on a round; the others concern the shoe or a device."""

Choice = Annotated[
    str,
    typer.Argument(
        metavar="CHOICE", help="resume, burn, card, assign, reread, correct, void, undo, reload or entry."
    ),
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
    choice: Choice, config: ConfigFile, who: Who, why: Why, card: Card = None, seat: Seat = None,
    hand: Hand = None, number: Number = None, old: Old = None, round_number: RoundNumber = None,
    device: Device = None, licence: Licence = None, second: Second = None, token: Token = None,
    preview: OnlyPreview = False,
) -> None:  # fmt: skip
    """Decide about a suspended round of a running table, or put a misread card right.

    resume: all is in order again, play on.
    burn: the card in question is a burn.
    card: the card in question goes where the next card is due.
    assign: the card in question goes to a hand.
    reread: the card in question goes through the shoe once more.
    correct: a card was read as another one.
    void: the round is void, every wager pushes.
    undo: the dealer's last key was never pressed.
    reload: the shoe's cards serve no further round, a fresh shoe is wanted.
    entry: somebody opens a device: only kept in the journal.

    The round is named with --round: nothing is done once another round is in play.

    Example: tableside supervise resume --round 105 --config table.toml --who "A. Smith" --why "seen"
    """
    if round_number is None and choice in OF_ROUND and not token:
        raise usage("--round is missing; needed: the number of the round that you mean, as the page shows it")
    fields: Fields = {
        "choice": choice, "who": who, "why": why, "card": card, "seat": seat, "hand": hand, "number": number,
        "old": old, "round": round_number, "device": device, "licence": licence, "second": second,
        "token": token,
    }  # fmt: skip
    if choice == "entry" and not preview:
        send(config, fields)
    else:
        preview_and_send(config, fields, _print, only_preview=preview, accepted=choice in NEEDS_ACCEPTANCE)


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
