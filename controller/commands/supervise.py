"""The command `tableside table supervise`."""

from typing import Annotated

import typer

from controller.commands.arguments import (
    AsJson,
    OnlyPreview,
    OptionalWho,
    OptionalWhy,
    Override,
    Second,
    Token,
)
from controller.commands.config_file import ConfigFile
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
    from controller.commands.handlers.supervise import handle

    handle(
        choice,
        config=config,
        who=who,
        why=why,
        card=card,
        seat=seat,
        hand=hand,
        number=number,
        old=old,
        round_number=round_number,
        device=device,
        licence=licence,
        second=second,
        override=override,
        token=token,
        preview=preview,
        as_json=as_json,
    )


_SUMMARIES = "\n".join(f"{name}: {CHOICES[name].summary}" for name in CHOICE_NAMES)
supervise_command.__doc__ = f"""Decide about a suspended round of a running table, or correct a misread card.

{_SUMMARIES}

The command asks for the password. Name the round with --round: the table
refuses the decision while another round is in play.

Example: tableside table supervise resume --round 105 --config table.toml --who "A. Smith" --why "seen"
"""
