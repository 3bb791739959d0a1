import math
from collections import Counter
from itertools import islice
from random import Random

import pytest

from controller.cards import DECK
from controller.games import open_game
from controller.odds.simulate import Shoe, Tally, simulate


def test_a_tally_has_the_textbook_mean_and_standard_error() -> None:
    """Paid +100, -100, -100, -100 on stakes of 100: mean -0.5, sample deviation 1, error 1 / 2."""
    tally = Tally("main")
    for paid in (100, -100, -100, -100):
        tally.add(100, paid)
    assert tally.house_edge == pytest.approx(0.5)
    assert tally.standard_error == pytest.approx(0.5)


def test_one_wager_has_no_standard_error() -> None:
    tally = Tally("main")
    tally.add(100, 100)
    assert math.isnan(tally.standard_error)


def test_the_same_seed_gives_the_same_rounds() -> None:
    game = open_game("easy-jack")
    assert simulate(game, 300, 7) == simulate(game, 300, 7)
    assert simulate(game, 300, 7) != simulate(game, 300, 8)


def test_a_fresh_shoe_deals_every_card_once_however_much_was_dealt_before() -> None:
    shoe = Shoe(6, Random(1))
    part = list(islice(shoe.fresh(), 50))
    whole = list(shoe.fresh())
    assert Counter(whole) == dict.fromkeys(DECK, 6)
    assert part != whole[:50]


def test_every_card_is_as_likely_to_come_first() -> None:
    """52 cards, 26,000 shoes: each 500 times, give or take five standard deviations (22)."""
    shoe = Shoe(1, Random(2))
    first = Counter(next(shoe.fresh()) for _ in range(26_000))
    assert all(abs(first[card] - 500) < 110 for card in DECK)


def test_progress_hears_of_every_round_once() -> None:
    heard: list[int] = []
    simulate(open_game("easy-jack"), 2500, 1, heard.append)
    assert heard == [1000, 1000, 500]


def test_house_edges_are_the_published_ones() -> None:
    """8 decks, 3:2, best play: main 0.9377 %, Dealer Bust 9.5124 %; within four standard errors."""
    main, dealer_bust = simulate(open_game("easy-jack"), 20_000, 42)
    assert main.count == dealer_bust.count == 20_000
    for tally, edge, error in ((main, 0.009377, 0.0068), (dealer_bust, 0.095124, 0.0128)):
        assert tally.standard_error == pytest.approx(error, rel=0.15)
        assert abs(tally.house_edge - edge) < 4 * tally.standard_error


def test_stakes_fit_chip_and_limits() -> None:
    options = {"chip": 500, "limits": {"main": [1250, 1600], "dealer-bust": [2_000_000, 3_000_000]}}
    main, dealer_bust = simulate(open_game("easy-jack", options), 1, 1)
    assert (main.staked, dealer_bust.staked) == (1500, 2_000_000)
