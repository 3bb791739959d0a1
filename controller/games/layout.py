"""What lies on the table: hands, seats, and settled wagers. Amounts are cents, None is unknown."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from controller.cards import Card

Outcome = Literal["win", "lose", "push"]

STILL_PLAYED = frozenset({"", "play"})
"""Choices after which a hand goes on; every other one is its last."""

NO_WAGERS: Mapping[str, int | None] = {}


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a seat."""

    cards: tuple[Card, ...] = ()
    choice: str = ""
    """The last key that stands for it: empty, "play" or one of the final ones, as "stand" or "double"."""
    awaits: bool = False
    """Its next card is due: after a hit, a double or a split."""
    bet: int | None = 0
    """What is wagered on it, with what was doubled."""
    split: int = 0
    """Which split of its seat made it, counted from 1; 0: none did."""
    wagers: Mapping[str, int | None] = field(default_factory=lambda: NO_WAGERS)
    """Side wagers that were placed for this hand alone, at the split that made it."""

    def take(self, card: Card) -> "Hand":
        """With one card more; nothing is awaited any more."""
        return Hand((*self.cards, card), self.choice, False, self.bet, self.split, self.wagers)

    def choose(self, choice: str) -> "Hand":
        """With another key that stands for it."""
        return replace(self, choice=choice)

    @property
    def dealt(self) -> bool:
        """Whether its cards are the two first dealt."""
        return len(self.cards) == 2 and not self.split


@dataclass(frozen=True, slots=True)
class Seat:
    """A betting position: what stands on its spots (insurance too), and its hands in the order of play."""

    wagers: Mapping[str, int | None]
    hands: tuple[Hand, ...] = ()

    @property
    def first_two(self) -> tuple[Card, ...]:
        """The two cards first dealt: whatever came later, they begin the hands that the first split made."""
        if self.hands[0].split:
            return tuple(hand.cards[0] for hand in self.hands if hand.split == 1)
        return self.hands[0].cards[:2]

    def wager(self, spot: str, cents: int | None) -> "Seat":
        """With a wager on one spot more."""
        return Seat({**self.wagers, spot: cents}, self.hands)

    def without(self, spot: str) -> "Seat":
        """With nothing on one spot."""
        return Seat({on: cents for on, cents in self.wagers.items() if on != spot}, self.hands)

    def put(self, place: int, *hands: Hand) -> "Seat":
        """With these hands instead of the one at `place`, counted from 0."""
        return Seat(self.wagers, (*self.hands[:place], *hands, *self.hands[place + 1 :]))


@dataclass(slots=True)
class Layout:
    """All seats with a wager, in dealing order, the dealer's cards, and the jackpots that were shown.

    Before the reveal no rule but peek may look at the hole card. A game that deals the dealer one card
    has no up-card.
    """

    seats: dict[int, Seat] = field(default_factory=dict)
    up: Card | None = None
    hole: Card | None = field(default=None, repr=False)
    drawn: tuple[Card, ...] = ()
    meters: dict[str, int] = field(default_factory=dict)
    """Jackpots in cents by spot, as shown when betting closed."""
    seeds: dict[str, int] = field(default_factory=dict)
    """What is put into them again once all is won, in cents, where the operator sets it."""

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The dealer's cards: up-card, hole card, draws, whichever of the first two was dealt first."""
        return (*(card for card in (self.up, self.hole) if card), *self.drawn)


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is: a hand of a seat, counted from 0."""

    seat: int
    hand: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """One settled wager.

    `paid` is the player's gain without the returned stake, negative for a loss, None where it is unknown.
    `pays` is the ratio of a win; `rounding` is the fraction that rounding down to the chip took, if any.
    """

    seat: int
    hand: int
    wager: str
    amount: int | None
    outcome: Outcome
    pays: str | None
    paid: int | None
    reason: str
    rounding: str | None = None
