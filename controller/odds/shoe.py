"""A shoe as a vector of counts by rank, which is all that odds without replacement need."""

from collections.abc import Iterable, Iterator
from math import prod

RANKS = "A23456789T"
"""Ten-values are one rank. A rank is an index into this."""
ACE = 0
TEN = 9
SUITS = 4

Counts = tuple[int, ...]
"""Cards of each rank: of a shoe, or of a hand without its order."""
NONE: Counts = (0,) * len(RANKS)


def fresh(decks: int) -> Counts:
    return tuple(SUITS * in_suit for in_suit in one_suit(decks))


def one_suit(decks: int) -> Counts:
    return tuple(decks * (4 if rank == TEN else 1) for rank in range(len(RANKS)))


def hand(ranks: Iterable[int]) -> Counts:
    counts = list(NONE)
    for rank in ranks:
        counts[rank] += 1
    return tuple(counts)


def without(shoe: Counts, cards: Counts) -> Counts:
    return tuple(map(int.__sub__, shoe, cards))


def one_more(shoe: Counts, cards: Counts) -> Iterator[tuple[Counts, int]]:
    """Each hand that `cards` becomes with one more card from the shoe, and in how many ways."""
    for rank, (there, drawn) in enumerate(zip(shoe, cards, strict=True)):
        if there > drawn:
            yield (*cards[:rank], drawn + 1, *cards[rank + 1 :]), there - drawn


def orders(size: int, cards: int) -> int:
    """In how many orders `cards` cards can leave a shoe of `size`."""
    return prod(range(size - cards + 1, size + 1))
