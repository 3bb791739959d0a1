from fractions import Fraction
from itertools import permutations

import pytest

from controller.money import EVEN, Ratio
from controller.odds.bet import Bet
from controller.odds.dealer import TwentyOne
from controller.odds.side_bets import ez_bust
from tests.controller.odds import brute

THREE = Ratio(3, 1)


def by_up_card(hits_soft_17: bool, decks: int, suited: Ratio) -> dict[str, Bet]:
    return {bet.given["up_card"]: bet for bet in ez_bust(TwentyOne(hits_soft_17), decks, suited)}


def events(bet: Bet) -> dict[str, Fraction]:
    return {outcome.event: outcome.probability for outcome in bet.outcomes}


def test_the_expectation_of_ez_bust_is_the_published_one() -> None:
    bet = by_up_card(False, 1, EVEN)["2"]
    assert f"{float(-bet.house_edge):.6f}" == "-0.294055"


def test_ez_bust_has_odds_for_each_low_up_card_and_any() -> None:
    bets = ez_bust(TwentyOne(True), 6, THREE)
    assert [bet.given["up_card"] for bet in bets] == ["2", "3", "4", "5", "6", "any"]
    assert bets[-1].house_edge == sum(bet.house_edge for bet in bets[:-1]) / 5


@pytest.mark.parametrize("draws", [brute.hits_soft_17, brute.stands_on_soft_17])
def test_suited_busts_match_a_count_of_every_pair(draws: brute.Draws) -> None:
    """One deck, a six of spades up: each hole card and third card in spades, then ranks in every order."""
    spades = [rank if rank not in "JQK" else "T" for rank in "A2345789TJQK"]
    share = Fraction(0)
    for two, three in permutations(range(12), 2):
        cards = ("6", spades[two], spades[three])
        if draws(cards[:2]):
            left = brute.without(brute.shoe(1), *cards)
            share += sum(
                chance for final, chance in brute.final_hands(draws, left, cards) if brute.total(final) > 21
            ) * Fraction(1, 51 * 50)
    found = by_up_card(draws is brute.hits_soft_17, 1, THREE)["6"]
    assert events(found)["suited bust"] == share


def test_six_and_ace_pushes_where_the_dealer_stands_on_soft_17() -> None:
    stands, hits = by_up_card(False, 6, THREE), by_up_card(True, 6, THREE)
    assert events(stands["6"])["stands on two cards"] == Fraction(24, 311)
    assert "stands on two cards" not in events(hits["6"]) | events(stands["5"])


def test_a_suited_bust_counts_once() -> None:
    three, even = by_up_card(True, 6, THREE)["4"], by_up_card(True, 6, EVEN)["4"]
    assert even.house_edge - three.house_edge == 2 * events(three)["suited bust"]
