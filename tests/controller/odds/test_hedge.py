from fractions import Fraction
from itertools import product

import pytest

from controller.money import Ratio
from controller.odds.dealer import TwentyOne, dealer_ends, probability
from controller.odds.shoe import ACE, RANKS, TEN, fresh, hand
from controller.odds.side_bets import hedge, insurance

TWO = Ratio(2, 1)
PAYS = dict.fromkeys(RANKS, TWO)


def test_hedge_has_odds_for_each_up_card_and_any() -> None:
    bets = hedge(TwentyOne(True), 6, 20, PAYS)
    assert [bet.given["up_card"] for bet in bets] == [*RANKS, "any"]
    assert {bet.bet for bet in bets} == {"hedge-20"}


def shares_of_up_cards(decks: int) -> list[Fraction]:
    """How often each rank shows when neither the dealer nor the seat has a natural, card by card."""
    ways = [0] * len(RANKS)
    for up, hole, one, two in product(range(len(RANKS)), repeat=4):
        if {up, hole} != {ACE, TEN} != {one, two}:
            shoe, count = list(fresh(decks)), 1
            for card in (up, hole, one, two):
                count *= shoe[card]
                shoe[card] -= 1
            ways[up] += count
    return [Fraction(each, sum(ways)) for each in ways]


@pytest.mark.parametrize("decks", [1, 6])
def test_odds_for_any_up_card_are_those_of_seats_that_can_bet(decks: int) -> None:
    *each, any_up_card = hedge(TwentyOne(True), decks, 20, PAYS)
    wins = (bet.outcomes[0].probability for bet in each)
    expected = sum(share * won for share, won in zip(shares_of_up_cards(decks), wins, strict=True))
    assert any_up_card.outcomes[0].probability == expected


def test_a_natural_is_no_21() -> None:
    """Against an ace, all totals of 21 that are left were drawn."""
    rule = TwentyOne(True)
    found = dealer_ends(rule, fresh(6), hand([ACE]))
    natural = probability(found, lambda end: end.natural)
    drawn = probability(found, lambda end: end.total == 21 and not end.natural)
    assert hedge(rule, 6, 21, PAYS)[ACE].outcomes[0].probability == drawn / (1 - natural)


def test_each_up_card_has_its_own_pay() -> None:
    pays = {**PAYS, "6": Ratio(7, 1)}
    bets = {bet.given["up_card"]: bet for bet in hedge(TwentyOne(True), 6, 18, pays)}
    assert (bets["6"].outcomes[0].pays, bets["7"].outcomes[0].pays) == ("7:1", "2:1")
    assert {outcome.pays for outcome in bets["any"].outcomes} == {"7:1", "2:1", None}


def test_the_edge_of_insurance_counts_the_remaining_tens() -> None:
    bet = insurance(6, TWO)
    assert bet.given == {"up_card": "A"}
    assert bet.outcomes[0].probability == Fraction(96, 311)
    assert bet.house_edge == 1 - 3 * Fraction(96, 311)
