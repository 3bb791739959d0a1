from collections import defaultdict
from fractions import Fraction

from controller.money import Ratio
from controller.odds.dealer import TwentyOne, by_cards, dealer_ends
from controller.odds.shoe import NONE, fresh
from controller.odds.side_bets import buster, dealer_bust
from tests.controller.odds import brute

RULE = TwentyOne(True)
DEALER_BUST = {2: Ratio(3, 1), 3: Ratio(4, 1), 4: Ratio(10, 1), 5: Ratio(50, 1), 6: Ratio(500, 1)}


def to_one(*wins: int) -> dict[int, Ratio]:
    return {cards: Ratio(win, 1) for cards, win in enumerate(wins, 3)}


B1 = to_one(2, 2, 4, 12, 50, 250)
B3 = to_one(2, 2, 4, 18, 50, 250)
BONUS = {7: Ratio(800, 1), 8: Ratio(2000, 1)}


def test_the_edge_of_buster_is_the_published_one() -> None:
    assert f"{float(buster(RULE, 6, B1, {}).house_edge):.4%}" == "6.2143%"


def test_the_edge_of_dealer_bust_is_the_published_one() -> None:
    assert f"{float(dealer_bust(8, DEALER_BUST).house_edge):.4%}" == "9.5124%"


def test_a_count_that_the_table_leaves_out_loses() -> None:
    left_out = {cards: pays for cards, pays in DEALER_BUST.items() if cards != 4}
    whole, less = dealer_bust(8, DEALER_BUST), dealer_bust(8, left_out)
    four = {outcome.event: outcome for outcome in less.outcomes}["bust with 4 cards"]
    assert four.pays is None
    assert less.house_edge - whole.house_edge == 11 * four.probability


def test_the_seats_own_natural_is_paid_instead() -> None:
    plain, special = buster(RULE, 8, B3, {}), buster(RULE, 8, B3, BONUS)
    found = {outcome.event: outcome for outcome in special.outcomes}
    seven, eight = (found[f"bust with {n} cards, with a natural"] for n in ("7", "8 or more"))
    assert (seven.pays, eight.pays) == ("800:1", "2000:1")
    better = 750 * seven.probability + 1750 * eight.probability
    assert plain.house_edge - special.house_edge == better


def test_the_natural_takes_its_cards_out_of_the_shoe() -> None:
    """Two decks: the busts left to a dealer who lacks an ace and a ten, in every order of the cards."""
    busts: dict[int, Fraction] = defaultdict(Fraction)
    left = brute.without(brute.shoe(2), "A", "T")
    for cards, share in brute.final_hands(brute.hits_soft_17, left):
        if brute.total(cards) > 21:
            busts[min(len(cards), 8)] += share
    found = {outcome.event: outcome.probability for outcome in buster(RULE, 2, B3, BONUS).outcomes}
    natural = Fraction(2 * 8 * 32, 104 * 103)
    assert found["bust with 7 cards, with a natural"] == natural * busts[7]
    assert found["bust with 8 or more cards, with a natural"] == natural * busts[8]


def test_eight_cards_and_more_are_one_event() -> None:
    by_each = by_cards(dealer_ends(RULE, fresh(8), NONE))
    found = {outcome.event: outcome.probability for outcome in buster(RULE, 8, B1, {}).outcomes}
    assert max(by_each) > 8
    assert found["bust with 8 or more cards"] == sum(by_each[n] for n in by_each if n >= 8)
