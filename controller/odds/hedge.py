"""Hedge: that the dealer's final total is the one named, given that the dealer has no natural."""

from collections.abc import Mapping
from fractions import Fraction

from controller.money import Ratio
from controller.odds.bet import Bet, against, lose, weighted, win
from controller.odds.dealer import Ends, TwentyOne, after_peek, ends, probability
from controller.odds.shoe import RANKS, fresh, hand


def hedge(rule: TwentyOne, decks: int, total: int, pays: Mapping[str, Ratio]) -> tuple[Bet, ...]:
    """One entry for each up-card, and one for any: as frequent as it is without a dealer natural.

    `pays` is by up-card.
    """
    shoe = fresh(decks)
    bets = []
    for rank, up in enumerate(RANKS):
        found = ends(rule, shoe, hand([rank]))
        seen = shoe[rank] * (1 - probability(found, lambda end: end.natural))
        bets.append((_against(after_peek(found), up, total, pays[up]), seen))
    return (*(bet for bet, _ in bets), weighted(bets))


def chance(found: Ends, total: int) -> Fraction:
    """The probability of this final total."""
    return probability(found, lambda end: end.total == total)


def _against(found: Ends, up: str, total: int, pays: Ratio) -> Bet:
    wins = chance(found, total)
    outcomes = win(f"dealer ends with {total}", wins, pays), lose("another total", 1 - wins)
    return Bet(f"hedge-{total}", outcomes, against(up))
