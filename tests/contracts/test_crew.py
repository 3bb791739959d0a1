"""Crew and round agree whatever the order in which devices report."""

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from controller.demo.audit import script
from controller.games import GAMES
from controller.round.settle import ScriptResult, settle
from tests.contracts.crew_table import CrewTable

ROUNDS = 25
CREWS = 60
STEPS_EACH = 25
"""Crews that take over from each other after so many steps or so."""
SAID = {
    "easy-jack": {"stand"},
    "ez-bust": {"stand", "double", "split", "surrender", "insurance", "ez-bust"},
    "no-bust-21st-century": {"stand", "double", "split", "surrender", "insurance"},
    "pure-21-5": {"stand", "double", "split", "surrender", "insurance"},
    "quick-pay": {"stand", "double", "play", "quick-pay", "hedge-18", "hedge-21"},
    "blackjack-x": {"stand", "double", "split", "surrender", "insurance"},
}
"""Keys and late wagers that occur in this many rounds."""


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


def written_down(table: CrewTable, settled: Sequence[ScriptResult]) -> bool:
    """Each of the crew's rounds is settled as the table settled it."""
    for each, answer in zip(table.play.rounds, settled, strict=True):
        written = script(table.rules, table.options, each, table.meters)
        assert settle(json.dumps(written)) == {**answer, "id": None, "phase": "settled"}, written
    return True


def fine(table: CrewTable) -> bool:
    """Nothing was refused, alerted, voided or pulled by nobody."""
    assert (table.wrong, table.play.draws.unexpected) == ([], [])
    assert not any(each.void for each in table.play.rounds)
    return written_down(table, table.settled[:ROUNDS])


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
def test_a_crew_plays_to_the_end_with_any_options(game: str, options: dict[str, Any]) -> None:
    assert fine(played(game, 1, **options))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_neither_order_nor_restarts_change_what_is_played(game: str, seed: int) -> None:
    disturbed = played(game, seed, restarts=0.05)
    assert disturbed.settled[:ROUNDS] == plain(game).settled[:ROUNDS]
    assert disturbed.play.rounds == plain(game).play.rounds
    assert disturbed.wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_another_crew_ends_the_round_that_lies_there_and_goes_on(game: str) -> None:
    table, crews = CrewTable(game, Random(5)), 0
    while crews < CREWS or len(table.play.rounds) < 2:
        if crews < CREWS and table.chance.random() < 1 / STEPS_EACH:
            table.relieve()
            crews += 1
        assert table.step(), f"everybody waits: {table.prompt}"
    assert table.wrong == []
    assert written_down(table, table.settled[-len(table.play.rounds) :])
