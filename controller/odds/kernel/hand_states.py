"""Hands as states: which hands the rules of a game may treat alike, and what one more card makes of each."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from controller.cards import DECK, Card
from controller.games.points import ACES, hard
from controller.odds.kernel.loop import NO_CARD, ROOT, ROW

Cards = tuple[Card, ...]

LONG = 4
"""A player's hand of so many cards is like one of more with the same total."""


@dataclass(frozen=True, slots=True)
class HandStates:
    """`hands` has an example of each state; `next` has the state that each card leads to, in rows of ROW."""

    hands: tuple[Cards, ...]
    next: tuple[int, ...]

    def after(self, state: int) -> Iterator[int]:
        """The states that one more card makes of a hand."""
        return iter(self.next[state * ROW : state * ROW + len(DECK)])


def explore(trait: Callable[[Cards], Hashable], grows: Callable[[Cards], bool]) -> HandStates:
    """Every state from the empty hand on. `trait`: hands with the same one are one state; `grows`: whether
    a hand may get one more card."""
    hands: list[Cards] = [()]
    states = {trait(()): ROOT}
    following: list[int] = []
    for hand in hands:
        row = [ROOT] * ROW
        if grows(hand):
            for number, card in enumerate(DECK):
                longer = (*hand, card)
                row[number] = states.setdefault(trait(longer), len(hands))
                if row[number] == len(hands):
                    hands.append(longer)
        following += row
    following[ROOT * ROW + NO_CARD] = ROOT
    return HandStates(tuple(hands), tuple(following))


def player_trait(cards: Cards) -> Hashable:
    """Two cards count by rank and by whether they are of one suit, more by points. Whether the first one is
    an ace counts after a split."""
    if len(cards) < 2:
        return cards
    if len(cards) == 2:
        return cards[0][0], cards[1][0], cards[0][1] == cards[1][1]
    return min(len(cards), LONG), cards[0] in ACES, *_points(cards)


def dealer_trait(cards: Cards) -> Hashable:
    """Two cards count by rank and suit, more by points, by whether the first three are of one suit, and by
    whether they are three of one rank."""
    if len(cards) < 3:
        return tuple(card[0] for card in cards), one_suit(cards) and cards[0][1]
    return dealer_end_trait(cards), *_points(cards)


def dealer_end_trait(cards: Cards) -> Hashable:
    """What counts of a dealer's complete hand besides its value."""
    return len(cards), len(cards) > 2 and one_suit(cards[:3]), three_alike(cards)


def three_alike(cards: Cards) -> str:
    """The rank of three cards of one rank; of others, nothing."""
    return cards[0][0] if len(cards) == 3 and len({card[0] for card in cards}) == 1 else ""


def one_suit(cards: Cards) -> bool:
    return len({card[1] for card in cards}) == 1


def _points(cards: Cards) -> tuple[int, bool]:
    return hard(cards), not ACES.isdisjoint(cards)
