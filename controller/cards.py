"""Cards as two characters, rank and suit: "Ts" is the ten of spades."""

from typing import NewType

Card = NewType("Card", str)
"""A card of `DECK`. `card` makes one from text."""

RANKS = "A23456789TJQK"
SUITS = "shdc"
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
FACE_DOWN = "??"
"""Stands for a card that must not be shown yet."""

_KNOWN = frozenset(DECK)


class NotACard(ValueError): ...


def card(text: str) -> Card:
    """The card that `text` names. Raises NotACard if `text` is not in `DECK`."""
    if text not in _KNOWN:
        raise NotACard(f"{text!r} is not a card: a rank of {RANKS} and a suit of {SUITS}, as Ts")
    return Card(text)
