"""The crew and the round understand each other, in any order in which the devices tell their news."""

import json
from functools import cache
from random import Random
from typing import Any

import pytest

from controller.demo.reckoning import script
from controller.games import GAMES
from controller.round.settle import settle
from tests.contracts.crew_table import CrewTable

ROUNDS = 25
SAID = {
    "easy-jack": {"stand"},
    "ez-bust": {"stand", "double", "split", "surrender", "insurance", "ez-bust"},
    "no-bust-21st-century": {"stand", "double", "split", "surrender", "insurance"},
    "pure-21-5": {"stand", "double", "split", "surrender", "insurance"},
    "quick-pay": {"stand", "double", "play", "quick-pay", "hedge-18", "hedge-21"},
    "blackjack-x": {"stand", "double", "split", "surrender", "insurance"},
}
"""Keys and late wagers that turn up in so many rounds."""


def played(game: str, seed: int, restarts: float = 0.0, **options: Any) -> CrewTable:
    chance = Random(seed)
    table = CrewTable(game, chance, options)
    while len(table.play.rounds) < ROUNDS:
        if chance.random() < restarts:
            table.restart()
        assert table.step(), f"everybody waits: {table.prompt}"
    return table


@cache
def plain(game: str) -> CrewTable:
    return played(game, 0)


def fine(table: CrewTable) -> bool:
    """Nothing was refused, alerted, void or pulled by nobody; and what was written down settles the same."""
    assert (table.wrong, table.play.strays) == ([], [])
    assert not any(each.void for each in table.play.rounds)
    for each, settled in zip(table.play.rounds, table.settled[:ROUNDS], strict=True):
        written = script(table.rules, table.options, each, table.meters)
        assert settle(json.dumps(written)) == {**settled, "id": None, "phase": "settled"}, written
    return True


@pytest.mark.parametrize("game", GAMES)
def test_a_table_plays_itself_and_what_the_crew_writes_down_is_settled_alike(game: str) -> None:
    assert fine(plain(game))
    tokens = [token.partition(":")[2] for each in plain(game).play.rounds for token in each.script]
    assert SAID[game] <= {token.partition("=")[0] for token in tokens}


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("easy-jack", {"peek": True, "natural": "6:5"}),
        ("ez-bust", {"peek": False, "even_money": True, "dealer_first_card": "hole"}),
        ("ez-bust", {"chip": 100, "limits": {"main": [2000, 3000], "ez-bust": [300, 700]}, "max": 600}),
        ("blackjack-x", {"draw_on_bust": True}),
        ("no-bust-21st-century", {"surrender": "none", "dealer_first_card": "hole"}),
        ("quick-pay", {"dealer_hits_soft_17": False, "quick_pay": {"20": "1:1"}}),
    ],
)
def test_whatever_the_options_are(game: str, options: dict[str, Any]) -> None:
    assert fine(played(game, 1, **options))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_neither_order_nor_restarts_change_what_is_played(game: str, seed: int) -> None:
    disturbed = played(game, seed, restarts=0.05)
    assert disturbed.settled[:ROUNDS] == plain(game).settled[:ROUNDS]
    assert disturbed.play.rounds == plain(game).play.rounds
    assert disturbed.wrong == []
