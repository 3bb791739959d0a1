"""What the round asks of a game."""

from collections.abc import Sequence
from typing import Literal, Protocol

from controller.cards import Card
from controller.games.layout import Hand, Layout, Settlement, Turn
from controller.games.options import TableOptions

Dealt = Literal["seats", "dealer up", "dealer down"]
"""A step of the deal: a card to each active seat in order, or one to the dealer."""


class Game(Protocol):
    """The rules of one game with its options: literal tables and pure functions."""

    name: str
    title: str
    spots: tuple[str, ...]
    """The betting circles of a seat, as the sensors count them; the first one makes a seat active."""
    deal: tuple[Dealt, ...]

    @property
    def options(self) -> TableOptions:
        """The checked options."""

    def total(self, cards: Sequence[Card]) -> int:
        """A hand's value by its cards alone."""

    def bust(self, cards: Sequence[Card]) -> bool:
        """Whether a hand is over the target."""

    def natural(self, cards: Sequence[Card]) -> bool:
        """Whether the cards first dealt are a natural."""

    def choices(self, layout: Layout, turn: Turn) -> frozenset[str]:
        """The keys that are the player's to choose from; none: the hand is passed over."""

    def peeks(self, layout: Layout, /) -> bool:
        """Whether the dealer checks for a natural before the players act."""

    def dealer_draws(self, layout: Layout) -> bool:
        """Whether the dealer, whose cards are all turned, takes one more."""

    def settle(self, layout: Layout) -> tuple[Settlement, ...]:
        """One line for each wager and hand, in the order in which they are taken and paid."""

    def advice(self, hand: Hand) -> str:
        """The key that a good player asks for."""
