"""Every hand with which a dealer can end, exactly: drawn without replacement and counted in whole ways."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

from controller.odds.bet import ANY, against
from controller.odds.shoe import ACE, NONE, RANKS, TEN, Counts, fresh, hand, one_more, orders

TWENTY_ONE = 21
STANDS_ON = 17
ELEVEN = 11
EASY_JACK_STANDS_ON = 7

_VALUES = tuple(range(1, len(RANKS) + 1))


@dataclass(frozen=True, slots=True)
class TwentyOne:
    """A dealer on 21 who draws to 17. A hand is a vector of counts."""

    hits_soft_17: bool
    opening: int = 2
    """Cards that the dealer is dealt."""

    def total(self, cards: Counts) -> int:
        """An ace counts 11 unless that busts the hand."""
        hard = _hard(cards)
        return hard + 10 if _soft(cards, hard) else hard

    def bust(self, cards: Counts) -> bool:
        return _hard(cards) > TWENTY_ONE

    def natural(self, cards: Counts) -> bool:
        return cards == NATURAL

    def draws(self, cards: Counts) -> bool:
        """Draws below 17, and on soft 17 if `hits_soft_17`."""
        hard = _hard(cards)
        if not _soft(cards, hard):
            return hard < STANDS_ON
        return hard + 10 < STANDS_ON + self.hits_soft_17


@dataclass(frozen=True, slots=True)
class Eleven:
    """Easy Jack's dealer, who is dealt one card. An ace counts 11 alone and 1 with other cards."""

    opening: int = 1

    def total(self, cards: Counts) -> int:
        return ELEVEN if self.natural(cards) else _hard(cards)

    def bust(self, cards: Counts) -> bool:
        return _hard(cards) > ELEVEN

    def natural(self, cards: Counts) -> bool:
        return cards == LONE_ACE

    def draws(self, cards: Counts) -> bool:
        return self.total(cards) < EASY_JACK_STANDS_ON


Rule = TwentyOne | Eleven

NATURAL = hand((ACE, TEN))
LONE_ACE = hand((ACE,))


@dataclass(frozen=True, slots=True)
class DealerEnd:
    """How a dealer's hand ends."""

    cards: int
    total: int
    bust: bool = False
    natural: bool = False


DealerEnds = Mapping[DealerEnd, Fraction]
"""Probabilities. They add up to 1, or to the probability of the given condition."""


@lru_cache(maxsize=1024)
def dealer_ends(rule: Rule, shoe: Counts, start: Counts) -> DealerEnds:
    """How a dealer who holds `start` ends. `shoe` still contains the cards of `start`."""
    return MappingProxyType(draw_out(rule, shoe, {start: 1}, sum(start)))


def draw_out(
    rule: Rule, shoe: Counts, openings: Mapping[Counts, int], known: int
) -> dict[DealerEnd, Fraction]:
    """How a dealer ends who holds each of `openings` in that many ways; `known` of the cards are given."""
    ways: dict[DealerEnd, int] = defaultdict(int)
    for cards, count in _final(rule, shoe, openings):
        ways[DealerEnd(sum(cards), rule.total(cards), rule.bust(cards), rule.natural(cards))] += count
    unseen = sum(shoe) - known
    return {end: Fraction(count, orders(unseen, end.cards - known)) for end, count in ways.items()}


def probability(found: DealerEnds, kind: Callable[[DealerEnd], bool]) -> Fraction:
    """Of all ends for which `kind` holds."""
    return sum((share for end, share in found.items() if kind(end)), Fraction(0))


def after_peek(found: DealerEnds) -> DealerEnds:
    """The same, given that the dealer has no natural."""
    left = {end: share for end, share in found.items() if not end.natural}
    whole = sum(left.values())
    return {end: share / whole for end, share in left.items()}


def _final(rule: Rule, shoe: Counts, openings: Mapping[Counts, int]) -> Iterator[tuple[Counts, int]]:
    """Each final hand, and the number of card orders that lead to it."""
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


def by_cards(found: DealerEnds) -> dict[int, Fraction]:
    """How often the dealer busts with how many cards."""
    busts: dict[int, Fraction] = {}
    for end in sorted(found, key=lambda end: end.cards):
        if end.bust:
            busts[end.cards] = busts.get(end.cards, Fraction(0)) + found[end]
    return busts


Shares = Mapping[str, Fraction]
"""Probabilities of "17" to "21" (Easy Jack: "7" to "11"), "natural" and "bust", in this order."""


@dataclass(frozen=True, slots=True)
class DealerTotals:
    """The dealer's final totals under one condition of a bet."""

    given: Mapping[str, str]
    before_peek: Shares
    after_peek: Shares | None
    """Given that there is no natural; None if the dealer does not look."""


@dataclass(frozen=True, slots=True)
class DealerOdds:
    """What becomes of the dealer's hand."""

    totals: tuple[DealerTotals, ...]
    busts: Mapping[int, Fraction]
    """Probability by cards in the busted hand, before anything is known."""


def of_twenty_one(rule: TwentyOne, decks: int, *, peek: bool) -> DealerOdds:
    """One entry for each up-card, and one for any."""
    shoe = fresh(decks)
    whole = dealer_ends(rule, shoe, NONE)
    by_up_card = (
        _totals(against(up), dealer_ends(rule, shoe, hand([rank])), peek=peek)
        for rank, up in enumerate(RANKS)
    )
    return DealerOdds((*by_up_card, _totals(against(ANY), whole, peek=peek)), by_cards(whole))


def of_eleven(decks: int, *, peek: bool) -> DealerOdds:
    """One entry: Easy Jack's dealer shows no card."""
    whole = dealer_ends(Eleven(), fresh(decks), NONE)
    return DealerOdds((_totals({}, whole, peek=peek),), by_cards(whole))


def _totals(given: Mapping[str, str], found: DealerEnds, *, peek: bool) -> DealerTotals:
    return DealerTotals(given, _shares(found), _shares(after_peek(found)) if peek else None)


def _shares(found: DealerEnds) -> Shares:
    shares: dict[str, Fraction] = {}
    for end in sorted(found, key=_rank):
        shares[_outcome(end)] = shares.get(_outcome(end), Fraction(0)) + found[end]
    return shares


def _rank(end: DealerEnd) -> tuple[bool, bool, int]:
    return end.bust, end.natural, end.total


def _outcome(end: DealerEnd) -> str:
    return "bust" if end.bust else "natural" if end.natural else str(end.total)
