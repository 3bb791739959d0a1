"""Players adapt to raised pays, and only to them."""

from fractions import Fraction
from typing import Any

import pytest

from controller.cards import card
from controller.check.adapted import open_adapted, standing
from controller.games import GAMES, open_game
from controller.games.layout import Hand, Layout, Seat, Turn

DEFAULT = {"20": "1:1", "19": "1:2", "18": "push"}


def advice(game: str, options: dict[str, Any], cards: str, up: str) -> str:
    """The player's choice with these cards."""
    hand = Hand(tuple(map(card, cards.split())), bet=1000)
    layout = Layout({1: Seat({"main": 1000}, (hand,))}, up=card(up), hole=card("5d"))
    return open_adapted(game, options).advice(layout, Turn(1, 0))


def test_standing_is_worth_what_the_dealer_ends_with() -> None:
    dealer = {
        "17": Fraction(1, 8),
        "18": Fraction(1, 8),
        "20": Fraction(1, 4),
        "bust": Fraction(1, 4),
        "natural": Fraction(1, 4),
    }
    assert standing(20, dealer) == Fraction(1, 8) + Fraction(1, 8) + Fraction(1, 4) - Fraction(1, 4)
    assert standing(18, dealer) == Fraction(1, 8) - Fraction(1, 4) + Fraction(1, 4) - Fraction(1, 4)
    assert standing(18, dealer, pushing=17) == Fraction(-1, 4)


@pytest.mark.parametrize("game", GAMES)
def test_games_without_such_pays_are_as_they_are(game: str) -> None:
    assert open_adapted(game, {}).options == open_game(game).options


class TestQuickPay:
    @pytest.mark.parametrize(
        ("pays", "cards", "up", "asked"),
        [
            ({}, "Ts Qh", "6s", "stand"),
            ({}, "Ts Qh", "7s", "quick-pay"),
            ({"20": "3:1"}, "Ts Qh", "6s", "quick-pay"),
            ({"20": "3:1"}, "As 9h", "5s", "quick-pay"),
            ({"20": "3:1"}, "Ts 9h", "6s", "stand"),
            ({"20": "6:5"}, "Ts Qh", "6s", "quick-pay"),
            ({"20": "21:20"}, "Ts Qh", "6s", "stand"),
            ({"20": "1:2"}, "Ts Qh", "6s", "stand"),
            ({"18": "1:2"}, "Ts 8h", "6s", "quick-pay"),
            ({"18": "1:5"}, "Ts 8h", "6s", "stand"),
            ({"18": "1:2"}, "Ts 8h 2d", "6s", "stand"),
        ],
    )
    def test_is_taken_where_it_is_worth_more(
        self, pays: dict[str, str], cards: str, up: str, asked: str
    ) -> None:
        assert advice("quick-pay", {"quick_pay": {**DEFAULT, **pays}}, cards, up) == asked

    def test_a_total_that_is_not_paid(self) -> None:
        assert advice("quick-pay", {"quick_pay": {"20": "3:1"}}, "Ts 9h", "7s") == "stand"


class TestHard31:
    @pytest.mark.parametrize(
        ("pays", "cards", "asked"),
        [
            ("3:1", "Ts 5h 6d", "stand"),
            ("5:1", "Ts 5h 6d", "stand"),
            ("6:1", "Ts 5h 6d", "hit"),
            ("6:1", "Ts 5h 5d", "stand"),
            ("6:1", "As 4h 6d", "stand"),
        ],
    )
    def test_is_sought_where_it_is_worth_more(self, pays: str, cards: str, asked: str) -> None:
        assert advice("blackjack-x", {"hard_31_pays": pays}, cards, "6s") == asked

    def test_not_where_21_may_not_be_hit(self) -> None:
        game = open_adapted("blackjack-x", {"hard_31_pays": "6:1", "player_may_hit_21": False})
        hand = Hand(tuple(map(card, ("Ts", "5h", "6d"))), bet=1000)
        layout = Layout({1: Seat({"main": 1000}, (hand,))}, up=card("6s"), hole=card("5d"))
        assert game.choices(layout, Turn(1, 0)) == frozenset()
