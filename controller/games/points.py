"""The points of a hand in which an ace counts 1 or 11."""

from collections.abc import Sequence

from controller.cards import DECK, Card

TARGET = 21

RANK_VALUES = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
               "T": 10, "J": 10, "Q": 10, "K": 10}  # fmt: skip

VALUES = {card: RANK_VALUES[card[0]] for card in DECK}
ACES = frozenset(card for card in DECK if card[0] == "A")
TENS = frozenset(card for card in DECK if VALUES[card] == 10)


def hard(cards: Sequence[Card]) -> int:
    """Every ace counted as 1."""
    return sum(map(VALUES.__getitem__, cards))


def total(cards: Sequence[Card]) -> int:
    """One ace counted as 11 where that does not bust the hand."""
    points = hard(cards)
    return points + 10 if points <= TARGET - 10 and not ACES.isdisjoint(cards) else points


def soft(cards: Sequence[Card]) -> bool:
    """Whether an ace counts 11."""
    return hard(cards) <= TARGET - 10 and not ACES.isdisjoint(cards)


def ace_and_ten(cards: Sequence[Card]) -> bool:
    """Whether these two cards are an ace and a ten-value."""
    return len(cards) == 2 and not ACES.isdisjoint(cards) and not TENS.isdisjoint(cards)


def up_rank(card: Card) -> str:
    """The rank of an up-card as tables name it: A, 2 to 9, T for every ten-value."""
    return "T" if card in TENS else card[0]
