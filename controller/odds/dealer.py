"""Every hand a dealer can end with, exactly: drawn without replacement and counted in whole ways."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

from controller.odds.shoe import ACE, RANKS, TEN, Counts, hand, one_more, orders

TWENTY_ONE = 21
STANDS_ON = 17
ELEVEN = 11
EASY_JACK_STANDS_ON = 7

_VALUES = tuple(range(1, len(RANKS) + 1))


@dataclass(frozen=True, slots=True)
class TwentyOne:
    """A dealer who draws to 17, and on soft 17 as told. A hand is a vector of counts."""

    hits_soft_17: bool
    opening: int = 2
    """How many cards the dealer is dealt."""

    def total(self, cards: Counts) -> int:
        """An ace counts 11 where that is no bust."""
        hard = _hard(cards)
        return hard + 10 if _soft(cards, hard) else hard

    def bust(self, cards: Counts) -> bool:
        """Over 21."""
        return _hard(cards) > TWENTY_ONE

    def natural(self, cards: Counts) -> bool:
        """Ace and ten-value."""
        return cards == NATURAL

    def draws(self, cards: Counts) -> bool:
        """On less than 17, and on soft 17 as told."""
        hard = _hard(cards)
        if not _soft(cards, hard):
            return hard < STANDS_ON
        return hard + 10 < STANDS_ON + self.hits_soft_17


@dataclass(frozen=True, slots=True)
class Eleven:
    """Easy Jack's dealer, dealt one card: an ace is 11 alone and 1 in company."""

    opening: int = 1

    def total(self, cards: Counts) -> int:
        """A lone ace is 11."""
        return ELEVEN if self.natural(cards) else _hard(cards)

    def bust(self, cards: Counts) -> bool:
        """Over 11."""
        return _hard(cards) > ELEVEN

    def natural(self, cards: Counts) -> bool:
        """A lone ace."""
        return cards == LONE_ACE

    def draws(self, cards: Counts) -> bool:
        """On 6 and less."""
        return self.total(cards) < EASY_JACK_STANDS_ON


Rule = TwentyOne | Eleven

NATURAL = hand((ACE, TEN))
LONE_ACE = hand((ACE,))


@dataclass(frozen=True, slots=True)
class DealerEnd:
    """A way in which the dealer's hand ends."""

    cards: int
    total: int
    bust: bool = False
    natural: bool = False


DealerEnds = Mapping[DealerEnd, Fraction]
"""Probabilities; all ends together are 1, or the probability of what was given."""


@lru_cache(maxsize=1024)
def dealer_ends(rule: Rule, shoe: Counts, start: Counts) -> DealerEnds:
    """How the dealer ends who holds `start`; the shoe is what it was before `start` came out of it."""
    return MappingProxyType(draw_out(rule, shoe, {start: 1}, sum(start)))


def draw_out(
    rule: Rule, shoe: Counts, openings: Mapping[Counts, int], known: int
) -> dict[DealerEnd, Fraction]:
    """How the dealer ends who holds each opening in so many ways; `known` of its cards are given."""
    ways: dict[DealerEnd, int] = defaultdict(int)
    for cards, count in _final(rule, shoe, openings):
        ways[DealerEnd(sum(cards), rule.total(cards), rule.bust(cards), rule.natural(cards))] += count
    unseen = sum(shoe) - known
    return {end: Fraction(count, orders(unseen, end.cards - known)) for end, count in ways.items()}


def probability(found: DealerEnds, kind: Callable[[DealerEnd], bool]) -> Fraction:
    """Of all ends of this kind together."""
    return sum((share for end, share in found.items() if kind(end)), Fraction(0))


def after_peek(found: DealerEnds) -> DealerEnds:
    """The same, given that the dealer has no natural."""
    left = {end: share for end, share in found.items() if not end.natural}
    whole = sum(left.values())
    return {end: share / whole for end, share in left.items()}


def _final(rule: Rule, shoe: Counts, openings: Mapping[Counts, int]) -> Iterator[tuple[Counts, int]]:
    """Each final hand and in how many orders of the shoe it comes up, card after card."""
    level = dict(openings)
    while level:
        longer: dict[Counts, int] = defaultdict(int)
        for cards, count in level.items():
            if sum(cards) >= rule.opening and not rule.draws(cards):
                yield cards, count
                continue
            for more, ways in one_more(shoe, cards):
                longer[more] += count * ways
        level = longer


def _hard(cards: Counts) -> int:
    return sum(map(int.__mul__, cards, _VALUES))


def _soft(cards: Counts, hard: int) -> bool:
    return cards[ACE] > 0 and hard + 10 <= TWENTY_ONE
