"""A form as it is drawn when somebody opens it: what it does in words, and only the fields that it needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.table.record.views import HIDDEN, RoundView, TableView

CardPad = Literal["", "may", "must"]
"""Whether a card is to be named on the pad of all 52."""


@dataclass(frozen=True, slots=True)
class HandChoice:
    """Where cards lie: a hand of a seat, seat 0 the dealer's."""

    seat: int
    hand: int
    name: str
    cards: tuple[str, ...]

    @property
    def picks(self) -> tuple[tuple[str, Mapping[str, object] | None], ...]:
        """Each card with the fields that name it to the API; None for one that lies face down."""
        return tuple(
            (card, None if card == HIDDEN else self._named(number, card))
            for number, card in enumerate(self.cards, 1)
        )

    @property
    def named(self) -> Mapping[str, object]:
        """The fields that name the hand to the API."""
        return {"seat": self.seat, "hand": self.hand}

    def _named(self, number: int, card: str) -> Mapping[str, object]:
        return {**self.named, "number": number, "old": card}


@dataclass(frozen=True, slots=True)
class Form:
    """`send` is method and path; `body` is what nobody types. `preview` is method and path of what tells the
    consequences first, whose token is sent along; empty: there is none.

    `at_once`: the preview is shown when the form opens, for nothing in it changes what follows.
    `because` are reasons that are often the right ones. `amount` labels a field for money. `round` is the one
    that `picks` are of, 0 the one in play.
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


def hand_choices(played: TableView | RoundView) -> tuple[HandChoice, ...]:
    """The dealer's hand and every hand of a seat, as far as cards lie there."""
    hands = [HandChoice(0, 1, "Dealer", played.dealer.cards)]
    for seat in played.seats:
        for number, hand in enumerate(seat.hands, 1):
            name = f"Seat {seat.seat}, hand {number}" if len(seat.hands) > 1 else f"Seat {seat.seat}"
            hands.append(HandChoice(seat.seat, number, name, hand.cards))
    return tuple(place for place in hands if place.cards)
