"""The odds of games as they are configured."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from time import process_time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.games import GAMES, open_game
from controller.games.game import Game
from controller.odds.bet import Bet
from controller.odds.exact import NoOdds, bets, dealer

Options = Mapping[str, Any]

S17_SUITED_OFF = {"decks": 1, "dealer_hits_soft_17": False, "suited_bust": "off"}
PUBLISHED: list[tuple[str, Options, str, Options, float]] = [
    ("easy-jack", {"decks": 8}, "main", {}, 0.009377),
    ("easy-jack", {"decks": 8}, "dealer-bust", {}, 0.095124),
    ("ez-bust", S17_SUITED_OFF, "ez-bust", {"up_card": "2"}, 0.294055),
]
"""House edges as published."""

BETS = {
    "ez-bust": ["ez-bust", "insurance"],
    "easy-jack": ["main", "dealer-bust"],
    "no-bust-21st-century": ["buster", "insurance"],
    "pure-21-5": ["buster", "insurance"],
    "quick-pay": ["hedge-18", "hedge-19", "hedge-20", "hedge-21"],
    "blackjack-x": ["buster", "blazing-7s", "insurance"],
}
LIMIT = 20
"""Seconds that any bet may take."""


def entries(game: str, bet: str, options: Options) -> dict[str, Bet]:
    """By up-card; "" before the deal."""
    found = bets(open_game(game, options))
    return {one.given.get("up_card", ""): one for one in found if one.bet == bet}


@pytest.mark.parametrize(("game", "options", "bet", "given", "edge"), PUBLISHED)
def test_the_edges_are_the_published_ones(
    game: str, options: Options, bet: str, given: Options, edge: float
) -> None:
    found = entries(game, bet, options)[given.get("up_card", "")]
    assert round(float(found.house_edge), 6) == edge


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_of_every_game_is_computed_in_time(game: str) -> None:
    start = process_time()
    names = dict.fromkeys(bet.bet for bet in bets(open_game(game)))
    assert list(names) == BETS[game]
    assert process_time() - start < LIMIT


@pytest.mark.parametrize("game", GAMES)
def test_all_totals_and_busts_are_everything(game: str) -> None:
    hand = dealer(open_game(game))
    for totals in hand.totals:
        assert sum(totals.before_peek.values()) == 1
        assert totals.after_peek is None or sum(totals.after_peek.values()) == 1
    assert sum(hand.busts.values()) == hand.totals[-1].before_peek["bust"]


def test_totals_are_told_for_each_up_card_and_any() -> None:
    hand = dealer(open_game("ez-bust"))
    assert [totals.given for totals in hand.totals] == [{"up_card": up} for up in (*"A23456789T", "any")]
    ace = hand.totals[0]
    assert list(ace.before_peek) == ["17", "18", "19", "20", "21", "natural", "bust"]
    assert ace.after_peek is not None
    assert "natural" not in ace.after_peek


@pytest.mark.parametrize(
    ("game", "options", "looks"),
    [
        ("ez-bust", {}, True),
        ("ez-bust", {"peek": False}, False),
        ("easy-jack", {}, False),
        ("easy-jack", {"peek": True}, True),
        ("quick-pay", {}, True),
    ],
)
def test_there_is_an_after_where_the_dealer_looks(game: str, options: Options, looks: bool) -> None:
    assert all((totals.after_peek is not None) == looks for totals in dealer(open_game(game, options)).totals)


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_the_default_hedge_table_leaves_the_house_five_percent(decks: int, hits_soft_17: bool) -> None:
    game = open_game("quick-pay", {"decks": decks, "dealer_hits_soft_17": hits_soft_17})
    edges = [bet.house_edge for bet in bets(game)]
    assert Fraction(5, 100) <= min(edges)
    assert max(edges) < Fraction(1, 3)


@pytest.mark.parametrize("ask", [bets, dealer])
def test_a_game_without_odds_is_refused(ask: Callable[[Game], object]) -> None:
    other = cast("Game", SimpleNamespace(name="poker"))
    with pytest.raises(NoOdds, match="poker is neither Easy Jack nor a game on 21"):
        ask(other)


class TestOptions:
    def test_a_pay_table_of_the_operators_own(self) -> None:
        whole = {"3": "1:1", "4": "3:1", "5": "6:1", "6": "30:1", "7": "100:1", "8+": "1000:1"}
        rich = entries("no-bust-21st-century", "buster", {"buster": whole})[""]
        plain = entries("no-bust-21st-century", "buster", {})[""]
        eight = {one.event: one.probability for one in plain.outcomes}["bust with 8 or more cards"]
        assert plain.house_edge - rich.house_edge == 800 * eight

    def test_the_bonus_of_table_b4(self) -> None:
        three, four = (entries("pure-21-5", "buster", {"buster": table})[""] for table in ("B3", "B4"))
        assert len(four.outcomes) == len(three.outcomes) + 2
        assert four.house_edge < three.house_edge

    def test_the_soft_17_rule(self) -> None:
        hits, stands = (
            dealer(open_game("ez-bust", {"dealer_hits_soft_17": rule})).busts for rule in (True, False)
        )
        assert sum(hits.values()) > sum(stands.values())

    def test_a_suited_bust_by_decks(self) -> None:
        pays = {decks: entries("ez-bust", "ez-bust", {"decks": decks})["6"].outcomes[0] for decks in (1, 2)}
        assert {decks: one.pays for decks, one in pays.items()} == {1: "1:1", 2: "3:1"}

    def test_no_insurance_where_none_is_offered(self) -> None:
        assert not entries("ez-bust", "insurance", {"insurance": False})
        assert entries("ez-bust", "insurance", {"decks": 6})["A"].house_edge == 1 - 3 * Fraction(96, 311)

    def test_a_natural_that_easy_jack_always_pays(self) -> None:
        always = entries("easy-jack", "main", {"natural": "6:5"})[""]
        assert "both natural" not in {one.event for one in always.outcomes}
