"""The odds of the dealer's final hands, compared with every order of the cards."""

from collections import defaultdict
from fractions import Fraction

import pytest

from controller.odds.dealer import DealerEnd, Eleven, Rule, TwentyOne, after_peek, by_cards, dealer_ends
from controller.odds.shoe import NONE, RANKS, fresh, hand
from tests.controller.odds import brute

RULES: list[tuple[Rule, brute.Draws]] = [
    (TwentyOne(True), brute.hits_soft_17),
    (TwentyOne(False), brute.stands_on_soft_17),
]


def slowly(draws: brute.Draws, up: str) -> dict[DealerEnd, Fraction]:
    found: dict[DealerEnd, Fraction] = defaultdict(Fraction)
    for cards, share in brute.final_hands(draws, brute.without(brute.shoe(1), up), (up,)):
        total = brute.total(cards)
        found[DealerEnd(len(cards), total, total > 21, sorted(cards) == ["A", "T"])] += share
    return found


class TestAgainstEveryOrderOfTheCards:
    @pytest.mark.parametrize(("rule", "draws"), RULES)
    @pytest.mark.parametrize("up", ["A", "6", "T"])
    def test_dealer_odds_of_one_deck_match(self, rule: Rule, draws: brute.Draws, up: str) -> None:
        assert dealer_ends(rule, fresh(1), hand([RANKS.index(up)])) == slowly(draws, up)

    def test_dealer_odds_of_easy_jack_match(self) -> None:
        found: dict[int, Fraction] = defaultdict(Fraction)
        for cards, share in brute.final_hands(brute.easy_jack, brute.shoe(6)):
            total = sum(brute.VALUES[rank] for rank in cards)
            found[len(cards) if total > 11 else 0] += share
        busts = by_cards(dealer_ends(Eleven(), fresh(6), NONE))
        assert busts == {count: found[count] for count in range(2, 7)}


class TestExactness:
    @pytest.mark.parametrize("decks", [1, 8])
    @pytest.mark.parametrize("hits_soft_17", [False, True])
    def test_all_ends_together_are_exactly_one(self, decks: int, hits_soft_17: bool) -> None:
        for start in (NONE, *(hand([rank]) for rank in range(len(RANKS)))):
            assert sum(dealer_ends(TwentyOne(hits_soft_17), fresh(decks), start).values()) == 1

    def test_the_up_cards_weigh_to_the_whole(self) -> None:
        rule, shoe = TwentyOne(True), fresh(6)
        whole: dict[DealerEnd, Fraction] = defaultdict(Fraction)
        for rank, count in enumerate(shoe):
            for end, share in dealer_ends(rule, shoe, hand([rank])).items():
                whole[end] += share * Fraction(count, sum(shoe))
        assert whole == dealer_ends(rule, shoe, NONE)

    def test_the_peek_takes_naturals_out_and_nothing_else(self) -> None:
        found = dealer_ends(TwentyOne(True), fresh(6), hand([RANKS.index("A")]))
        left = after_peek(found)
        assert sum(left.values()) == 1
        natural = DealerEnd(2, 21, bust=False, natural=True)
        assert found[natural] == Fraction(96, 311)
        assert left == {end: share / (1 - found[natural]) for end, share in found.items() if end != natural}
