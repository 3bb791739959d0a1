"""Insurance against an ace."""

from fractions import Fraction

from controller.money import Ratio
from controller.odds.bet import Bet, against, lose, win
from controller.odds.shoe import ACE, RANKS, TEN, fresh


def insurance(decks: int, pays: Ratio) -> Bet:
    """Wins where the hole card is a ten-value; nobody's cards but the up-card are known."""
    shoe = fresh(decks)
    natural = Fraction(shoe[TEN], sum(shoe) - 1)
    outcomes = win("dealer natural", natural, pays), lose("no dealer natural", 1 - natural)
    return Bet("insurance", outcomes, against(RANKS[ACE]))
