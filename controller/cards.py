"""Cards as two characters, rank then suit ("Ts" is the ten of spades)."""

from typing import NewType

Card = NewType("Card", str)
"""One of `DECK`; `card` makes one from text."""

RANKS = "A23456789TJQK"
SUITS = "shdc"
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
FACE_DOWN = "??"
"""In place of a card that nobody may know yet."""

_KNOWN = frozenset(DECK)


class NotACard(ValueError): ...


def card(text: str) -> Card:
    """The card that `text` names; raises NotACard."""
    if text not in _KNOWN:
        raise NotACard(f"{text!r} is not a card: a rank of {RANKS} and a suit of {SUITS}, as Ts")
    return Card(text)
