"""Points of a hand in which an ace counts 1 or 11."""

from collections.abc import Sequence
from typing import Literal, get_args

from controller.cards import DECK, Card

TARGET = 21

RANK_VALUES = {
    "A": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
    "6": 6,
    "7": 7,
    "8": 8,
    "9": 9,
    "T": 10,
    "J": 10,
    "Q": 10,
    "K": 10,
}

VALUES = {card: RANK_VALUES[card[0]] for card in DECK}
ACES = frozenset(card for card in DECK if card[0] == "A")
TENS = frozenset(card for card in DECK if VALUES[card] == 10)

UpRank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"]
UP_RANKS: tuple[UpRank, ...] = get_args(UpRank)
_UP_RANKS: dict[Card, UpRank] = {card: UP_RANKS[VALUES[card] - 1] for card in DECK}


def hard(cards: Sequence[Card]) -> int:
    """With every ace as 1."""
    return sum(map(VALUES.__getitem__, cards))


def total(cards: Sequence[Card]) -> int:
    """With one ace as 11, unless that busts the hand."""
    points = hard(cards)
    return points + 10 if points <= TARGET - 10 and not ACES.isdisjoint(cards) else points


def soft(cards: Sequence[Card]) -> bool:
    return hard(cards) <= TARGET - 10 and not ACES.isdisjoint(cards)


def ace_and_ten(cards: Sequence[Card]) -> bool:
    return len(cards) == 2 and not ACES.isdisjoint(cards) and not TENS.isdisjoint(cards)


def up_rank(card: Card) -> UpRank:
    """The rank of an up-card as tables name it: T for every ten-value."""
    return _UP_RANKS[card]
