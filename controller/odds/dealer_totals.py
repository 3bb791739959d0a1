from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from controller.odds.bet import ANY, against
from controller.odds.busts import by_cards
from controller.odds.dealer import DealerEnd, DealerEnds, Eleven, TwentyOne, after_peek, dealer_ends
from controller.odds.shoe import NONE, RANKS, fresh, hand

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
    for end in sorted(found, key=_place):
        shares[_name(end)] = shares.get(_name(end), Fraction(0)) + found[end]
    return shares


def _place(end: DealerEnd) -> tuple[bool, bool, int]:
    return end.bust, end.natural, end.total


def _name(end: DealerEnd) -> str:
    return "bust" if end.bust else "natural" if end.natural else str(end.total)
