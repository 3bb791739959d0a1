"""What lies on the table: hands, seats and settled wagers. Amounts are cents; None is unknown."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from controller.cards import Card

Outcome = Literal["win", "lose", "push"]

STILL_PLAYED = frozenset({"", "play"})
"""Choices after which a hand goes on. Every other choice is its last."""

NO_WAGERS: Mapping[str, int | None] = {}


@dataclass(frozen=True, slots=True)
class Hand:
    cards: tuple[Card, ...] = ()
    choice: str = ""
    """The hand's last key: empty, "play", or a final one such as "stand" or "double"."""
    awaits: bool = False
    """The hand is about to get a card, after a hit, a double or a split."""
    bet: int | None = 0
    """What is wagered on the hand, doubles included."""
    split: int = 0
    """Which split of its seat made the hand, counted from 1; 0: none."""
    wagers: Mapping[str, int | None] = field(default_factory=lambda: NO_WAGERS)
    """Side wagers placed for this hand alone, at the split that made it."""

    def take(self, card: Card) -> "Hand":
        """The hand with one more card."""
        return Hand((*self.cards, card), self.choice, False, self.bet, self.split, self.wagers)

    def choose(self, choice: str) -> "Hand":
        """The hand after another key."""
        return replace(self, choice=choice)

    @property
    def dealt(self) -> bool:
        """Whether the hand still has its first two cards."""
        return len(self.cards) == 2 and not self.split


@dataclass(frozen=True, slots=True)
class Seat:
    """A betting position: its wagers by spot (insurance included) and its hands in the order of play."""

    wagers: Mapping[str, int | None]
    hands: tuple[Hand, ...] = ()

    @property
    def first_two(self) -> tuple[Card, ...]:
        """The seat's first two cards. After a split they begin the hands of the first split."""
        if self.hands[0].split:
            return tuple(hand.cards[0] for hand in self.hands if hand.split == 1)
        return self.hands[0].cards[:2]

    def wager(self, spot: str, cents: int | None) -> "Seat":
        """The seat with a wager on one more spot."""
        return Seat({**self.wagers, spot: cents}, self.hands)

    def without(self, spot: str) -> "Seat":
        """The seat with nothing on one spot."""
        return Seat({on: cents for on, cents in self.wagers.items() if on != spot}, self.hands)

    def put(self, place: int, *hands: Hand) -> "Seat":
        """The seat with these hands instead of the one at `place`, counted from 0."""
        return Seat(self.wagers, (*self.hands[:place], *hands, *self.hands[place + 1 :]))


@dataclass(slots=True)
class Layout:
    """All seats with a wager, in dealing order, the dealer's cards, and the jackpots as they were
    displayed.

    Before the reveal, only the peek may use the hole card. A game in which the dealer gets one card has no
    up-card.
    """

    seats: dict[int, Seat] = field(default_factory=dict)
    up: Card | None = None
    hole: Card | None = field(default=None, repr=False)
    drawn: tuple[Card, ...] = ()
    meters: dict[str, int] = field(default_factory=dict)
    """Jackpots in cents by spot, as displayed when betting closed."""
    seeds: dict[str, int] = field(default_factory=dict)
    """What begins each jackpot again once all of it is won, in cents, where the operator sets it."""
    linked: set[str] = field(default_factory=set)
    """Spots of jackpots that several tables play for: what a share of them pays is decided elsewhere."""

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The up-card, the hole card and the draws, in this order."""
        return (*filter(None, (self.up, self.hole)), *self.drawn)


@dataclass(frozen=True, slots=True)
class Turn:
    """A hand of a seat, counted from 0."""

    seat: int
    hand: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """One settled wager.

    `paid` is the player's gain without the returned stake: negative for a loss, None if unknown. `pays` is
    the ratio of a win. `rounding` is the fraction of a cent lost by rounding down to the chip, if any.
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
