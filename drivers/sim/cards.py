"""Packs of cards as a simulated machine holds them (two-character strings, first out first), and the list
of cards that left a shoe.
"""

from collections.abc import Iterable
from pathlib import Path
from random import Random


class CardLog:
    """The simulated shoe's own list of the cards that left, independent of its link and memory.

    One line a card: `count card monotonic_seconds`. Without a path only the last count is kept.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text().splitlines() if path is not None and path.exists() else []
        self.last = int(lines[-1].split()[0]) if lines else 0
        """The count of the last card, 0 for none."""

    def write(self, count: int, card: str, now: float) -> None:
        self.last = count
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(f"{count} {card} {now:.6f}\n")


SUITS = "shdc"
RANKS = "A23456789TJQK"
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""In the order in which DeckCheck counts them."""


class NotACardError(ValueError): ...


def decks(number: int) -> list[str]:
    """Full decks, unshuffled."""
    return list(DECK) * number


def shuffled(cards: Iterable[str], seed: int, time: int) -> list[str]:
    """The same order for the same cards, seed and number of the shuffle, whatever was shuffled before."""
    order = sorted(cards)
    Random(f"{seed}/{time}").shuffle(order)
    return order


def parse(text: str) -> list[str]:
    """Cards separated by white space. NotACardError names the first word that is not a card."""
    words = text.split()
    for place, word in enumerate(words, start=1):
        if word not in DECK:
            raise NotACardError(
                f"word {place}, {word!r}, is not a card: a rank of {RANKS}, then a suit of {SUITS}"
            )
    return words


def counts(cards: Iterable[str]) -> bytes:
    """How many there are of each card, in the order of DECK; at most 255."""
    found = dict.fromkeys(DECK, 0)
    for card in cards:
        found[card] += 1
    return bytes(min(number, 255) for number in found.values())
