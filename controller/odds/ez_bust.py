from collections import defaultdict
from fractions import Fraction

from controller.money import EVEN, Ratio
from controller.odds.bet import Bet, against, lose, possible, push, weighted, win
from controller.odds.dealer import DealerEnds, TwentyOne, dealer_ends, draw_out, probability
from controller.odds.shoe import RANKS, Counts, fresh, hand, one_more, one_suit

UP_RANKS = tuple(RANKS.index(up) for up in "23456")


def ez_bust(rule: TwentyOne, decks: int, suited: Ratio) -> tuple[Bet, ...]:
    """One entry for each low up-card, and one for any of them; they are equally frequent.

    The dealer completes the hand, and only the up-card is known.
    """
    bets = [_against(rule, decks, suited, rank) for rank in UP_RANKS]
    return (*bets, weighted((bet, Fraction(1)) for bet in bets))


def _against(rule: TwentyOne, decks: int, suited: Ratio, rank: int) -> Bet:
    found = dealer_ends(rule, fresh(decks), hand([rank]))
    bust = probability(found, lambda end: end.bust)
    suited_bust = probability(_one_suit(rule, decks, rank), lambda end: end.bust)
    two_cards = probability(found, lambda end: end.cards == rule.opening)
    outcomes = (
        win("suited bust", suited_bust, suited),
        win("bust", bust - suited_bust, EVEN),
        push("stands on two cards", two_cards),
        lose("draws and does not bust", 1 - bust - two_cards),
    )
    return Bet("ez-bust", possible(outcomes), against(RANKS[rank]))


def _one_suit(rule: TwentyOne, decks: int, rank: int) -> DealerEnds:
    """How the dealer ends whose first three cards are of one suit."""
    suit = one_suit(decks)
    openings: dict[Counts, int] = defaultdict(int)
    for two, second in one_more(suit, hand([rank])):
        if rule.draws(two):
            for three, third in one_more(suit, two):
                openings[three] += second * third
    return draw_out(rule, fresh(decks), openings, 1)
