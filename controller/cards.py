"""Cards as two characters, rank then suit ("Ts" is the ten of spades), and a count of those that are out."""

from collections import Counter
from typing import NewType

Card = NewType("Card", str)
"""One of `DECK`; `card` makes one out of text."""

RANKS = "A23456789TJQK"
SUITS = "shdc"
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
FACE_DOWN = "??"
"""Stands for a card that nobody may know yet."""

_KNOWN = frozenset(DECK)


class NotACard(ValueError):
    """Text that names no card."""


class ImpossibleCard(Exception):
    """One card more than the shoe can hold."""


def card(text: str) -> Card:
    """The card that `text` names; raises NotACard."""
    if text not in _KNOWN:
        raise NotACard(f"{text!r} is no card: a rank of {RANKS} and a suit of {SUITS}, as Ts")
    return Card(text)


class Ledger:
    """Counts every card out of one shoe against the decks that it was loaded with.

    A face-down card is counted when it is turned, or the alarm itself would tell which it is.
    """

    def __init__(self, decks: int) -> None:
        self.decks = decks
        self._out: Counter[str] = Counter()

    def count(self, out: Card) -> None:
        """One more `out` has been seen; raises ImpossibleCard, and counts it, where so many cannot be."""
        self._out[out] += 1
        if self._out[out] > self.decks:
            raise ImpossibleCard(f"{out} has come {self._out[out]} times out of {self.decks} decks")
