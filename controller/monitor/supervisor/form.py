"""The contents of a form: its explanation, and only the fields that it needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.table.record.views import HIDDEN, RoundView, TableView

CardPad = Literal["", "may", "must"]
"""Whether the form has a pad of all 52 cards, and whether a card may or must be chosen on it."""


@dataclass(frozen=True, slots=True)
class HandChoice:
    """A hand with cards. Seat 0 is the dealer."""

    seat: int
    hand: int
    name: str
    cards: tuple[str, ...]

    @property
    def picks(self) -> tuple[tuple[str, Mapping[str, object] | None], ...]:
        """Each card with the fields that name it in the API; None instead for a face-down card."""
        return tuple(
            (card, None if card == HIDDEN else self._named(number, card))
            for number, card in enumerate(self.cards, 1)
        )

    @property
    def named(self) -> Mapping[str, object]:
        """The fields that name the hand in the API."""
        return {"seat": self.seat, "hand": self.hand}

    def _named(self, number: int, card: str) -> Mapping[str, object]:
        return {**self.named, "number": number, "old": card}


@dataclass(frozen=True, slots=True)
class FormField:
    """A further field to type in. `kind`: text, number or datetime-local, as HTML has them; `choices`: to
    choose from instead, each a value and its label; `hint`: what is allowed."""

    name: str
    label: str
    kind: Literal["text", "number", "datetime-local"] = "text"
    choices: tuple[tuple[str, str], ...] = ()
    value: str = ""
    hint: str = ""
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """A form of the supervisor's page. `send`: method and path; `body`: the fields that nobody types.
    `preview`: method and path of the preview of the consequences, whose token is sent along; empty without
    a preview.

    `at_once`: the preview is shown when the form opens, because no field of the form changes it. `reasons`:
    common reasons to choose from. `picks`: hands whose cards may be picked; `round`: the round of these
    hands, 0 for the round in play. `amount`: the label of a field for money; empty without such a field.
    `says`: the label of the field for text; `may_be_silent`: whether the field may stay empty.
    """

    title: str
    sentences: tuple[str, ...]
    button: str
    send: str
    body: Mapping[str, object] = field(default_factory=dict)
    preview: str = ""
    grave: bool = False
    reasons: tuple[str, ...] = ()
    pad: CardPad = ""
    hands: tuple[HandChoice, ...] = ()
    picks: tuple[HandChoice, ...] = ()
    rounds: tuple[int, ...] = ()
    round: int = 0
    devices: tuple[str, ...] = ()
    amount: str = ""
    at_once: bool = False
    says: str = "Reason"
    may_be_silent: bool = False
    fields: tuple[FormField, ...] = ()


def hand_choices(played: TableView | RoundView) -> tuple[HandChoice, ...]:
    """The dealer's hand and the hands of all seats, without empty ones."""
    hands = [HandChoice(0, 1, "Dealer", played.dealer.cards)]
    for seat in played.seats:
        for number, hand in enumerate(seat.hands, 1):
            name = f"Seat {seat.seat}, hand {number}" if len(seat.hands) > 1 else f"Seat {seat.seat}"
            hands.append(HandChoice(seat.seat, number, name, hand.cards))
    return tuple(place for place in hands if place.cards)
