"""The command `tableside supervise`."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from controller.config_file import ConfigFile
from controller.endings import failed
from controller.help_panels import TABLE
from controller.supervisor import Second, Told, Who, Why, tell

SHOWN_FIRST = frozenset({"assign", "correct", "undo"})
"""Choices whose consequences are shown before they hold."""

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
RoundNumber = Annotated[int | None, typer.Option("--round", help="With correct: a round that has ended.")]
Opened = Annotated[str | None, typer.Option("--device", metavar="NAME", help="With entry: what is opened.")]
Licence = Annotated[
    str | None, typer.Option(metavar="NUMBER", help="With entry: that of the licence of who opens it.")
]
Token = Annotated[str | None, typer.Option(help="Of the preview: accepts what it told.")]
OnlyPreview = Annotated[bool, typer.Option("--preview", help="Only show what it would change.")]


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command("supervise", rich_help_panel=TABLE)(supervise_command)


def supervise_command(
    choice: Choice, config: ConfigFile, who: Who, why: Why, card: Card = None, seat: Seat = None,
    hand: Hand = None, number: Number = None, old: Old = None, round_number: RoundNumber = None,
    device: Opened = None, licence: Licence = None, second: Second = None, token: Token = None,
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

    Example: tableside supervise resume --config table.toml --who "A. Smith" --why "seen"
    """
    told: Told = {
        "choice": choice, "who": who, "why": why, "card": card, "seat": seat, "hand": hand, "number": number,
        "old": old, "round": round_number, "device": device, "licence": licence, "second": second,
        "token": token,
    }  # fmt: skip
    if preview or (choice in SHOWN_FIRST and not token):
        _show_first(config, told, only=preview)
    else:
        tell(config, told)


def _show_first(config: Path, told: Told, *, only: bool) -> None:
    """Shows what it would change; where nobody has to accept that, or somebody does, it is done."""
    seen = tell(config, {**told, "preview": True})
    _print(seen)
    if only:
        return
    if seen["token"] and not _accepted(seen["token"]):
        raise failed("nothing is changed")
    tell(config, {**told, "token": seen["token"] or None})


def _accepted(token: str) -> bool:
    if sys.stdin.isatty():
        return typer.confirm("Accept?")
    typer.echo(f"To accept this, say the same with --token {token}")
    return False


def _print(seen: Told) -> None:
    console = Console(markup=False, highlight=False)
    for sentence in seen["preview"]:
        console.print(sentence)
    if seen["changes"]:
        console.print(_table(seen["changes"]))
    if seen["token"]:
        console.print(f"Token: {seen['token']}")


def _table(changes: list[dict[str, str]]) -> Table:
    table = Table("what", "is", "would be")
    for change in changes:
        table.add_row(change["about"], change["before"], change["after"])
    return table
