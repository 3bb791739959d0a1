"""Every order of the cards, by rules written a second time, to compare the engine with."""

from collections.abc import Callable, Iterator
from fractions import Fraction

Hand = tuple[str, ...]
Draws = Callable[[Hand], bool]

VALUES = {rank: value for value, rank in enumerate("A23456789T", 1)}


def shoe(decks: int) -> dict[str, int]:
    return {rank: 4 * decks * (4 if rank == "T" else 1) for rank in VALUES}


def total(hand: Hand) -> int:
    hard = sum(VALUES[rank] for rank in hand)
    return hard + 10 if "A" in hand and hard < 12 else hard


def soft(hand: Hand) -> bool:
    return total(hand) != sum(VALUES[rank] for rank in hand)


def hits_soft_17(hand: Hand) -> bool:
    return len(hand) < 2 or total(hand) < 17 or (total(hand) == 17 and soft(hand))


def stands_on_soft_17(hand: Hand) -> bool:
    return len(hand) < 2 or total(hand) < 17


def easy_jack(hand: Hand) -> bool:
    return not hand or (hand != ("A",) and sum(VALUES[rank] for rank in hand) < 7)


def final_hands(
    draws: Draws, left: dict[str, int], hand: Hand = (), share: Fraction = Fraction(1)
) -> Iterator[tuple[Hand, Fraction]]:
    """Every order in which the dealer's cards can come, with its probability."""
    if not draws(hand):
        yield hand, share
        return
    size = sum(left.values())
    for rank, count in left.items():
        if count:
            fewer = {**left, rank: count - 1}
            yield from final_hands(draws, fewer, (*hand, rank), share * Fraction(count, size))


def without(left: dict[str, int], *ranks: str) -> dict[str, int]:
    left = dict(left)
    for rank in ranks:
        left[rank] -= 1
    return left
