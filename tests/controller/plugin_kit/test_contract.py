"""The games of the product pass the contract of plug-ins, and games with a fault do not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.games import GAMES
from controller.plugin_kit import GameContract
from tests.fixtures.plugins import GAME, lay_out, plugin_site

TESTS = sorted(name for name in vars(GameContract) if name.startswith("test_"))


def contract(name: str, **options: Any) -> GameContract:
    suite = GameContract()
    suite.__dict__.update(game=name, options=options, rounds=12, simulated_rounds=300)
    return suite


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("game", GAMES)
def test_each_game_of_the_product_keeps_the_contract(game: str, test: str) -> None:
    getattr(contract(game), test)()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    with plugin_site(tmp_path):
        yield tmp_path


FAULTS = {
    "test_the_game_opens_by_its_name": (
        "    def __init__(self, options=None):\n        raise ValueError",
        "ValueError",
    ),
    "test_the_names_of_spots_fit_a_seat": ('    spots = ("main", "longest-hand")', "at most 10 characters"),
    "test_each_round_asks_for_a_key_or_a_card_until_it_ends": (
        "    def dealer_takes(self, cards): return True",
        "needs more cards than the shoe has",
    ),
    "test_each_prompt_fits_the_console": (
        "    def count(self, cards): return 'a very long hand ' * 9",
        "bytes of prompt",
    ),
    "test_settlements_conserve_money": (
        "    def hand_lines(self, layout): return iter(())",
        "have no line",
    ),
    "test_a_round_as_a_script_settles_the_same": (
        "    settled = 0\n"
        "    def decide(self, layout, seat, hand, what):\n"
        "        Push.settled += 1\n"
        "        return lose(what, str(Push.settled))",
        "is settled as",
    ),
    "test_simulated_players_press_keys_that_the_round_accepts": (
        "    def advice(self, layout, turn): return 'split'",
        "advice 'split'",
    ),
    "test_simulated_play_costs_what_the_exact_odds_say": (
        "    def settle(self, layout):\n"
        "        lines = super().settle(layout)\n"
        "        wagers = (HandWager(line.seat, line.hand, line.wager, line.amount) for line in lines)\n"
        "        return tuple(lose(wager, 'no') for wager in wagers)",
        "exact edge",
    ),
}
"""By test: code of a game that fails it, and what the test says."""


def test_each_test_of_the_contract_has_a_game_that_fails_it() -> None:
    assert sorted(FAULTS) == TESTS


@pytest.mark.parametrize("test", TESTS)
def test_a_game_with_a_fault_fails(site: Path, test: str) -> None:
    code, said = FAULTS[test]
    head = "from controller.games import HandWager, lose\n"
    entries = {"tableside.games": {"push-jack": "push_rules:Push"}}
    lay_out(site, "push-rules", entries, f"{head}{GAME}\n{code}\n")
    suite = contract("push-jack", chip=2)  # no other test has opened the game with this chip
    with pytest.raises((AssertionError, ValueError), match=said):
        getattr(suite, test)()
