"""The main bet, simulated: how long it is played, and when an edge may be chance."""

import json
import subprocess
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from controller.check.simulated import LEAST_ROUNDS, ROUNDS_PER_TASK, favours_player, main_bet
from controller.games import open_game
from controller.games.game import Game
from controller.odds.simulate import Engine, start_worker
from controller.odds.tally import BetTally
from tests.controller.check.samples import TABLE

PORTION = ROUNDS_PER_TASK["kernel"]


def here(engine: Engine) -> Executor:
    start_worker(engine)
    return ThreadPoolExecutor(1)


def quickly(game: Game, least: int) -> BetTally:
    return main_bet(game, 0, least=least, pool=here)


def test_simulation_plays_its_limit_and_repeats_for_the_same_seed() -> None:
    game = open_game("easy-jack")
    short, long, again = (
        quickly(game, 1),
        quickly(game, PORTION + 1),
        quickly(game, PORTION + 1),
    )
    assert [short.count, long.count] == [PORTION, 2 * PORTION]
    assert long == again != short
    assert not favours_player(long)


def test_simulation_stops_when_its_time_is_up() -> None:
    times = iter([0.0, 4.0, 8.0, 12.0])
    found = main_bet(open_game("easy-jack"), 10, least=1, clock=lambda: next(times), pool=here)
    assert found.count == 3 * PORTION


def test_simulation_stops_once_the_edge_is_clear() -> None:
    found = quickly(open_game("ez-bust", {"natural_pays": "10:1"}), LEAST_ROUNDS)
    assert found.count == PORTION
    assert favours_player(found)


@pytest.mark.parametrize(("paid", "favours"), [(-10, False), (70, False), (120, True)])
def test_an_edge_within_three_standard_errors_may_be_chance(paid: int, favours: bool) -> None:
    tally = BetTally("main")
    for number in range(1000):
        tally.add(1, 1 if number % 2 else -1, ())
    tally.paid += paid
    assert tally.standard_error == pytest.approx(0.0316, abs=0.0005)
    assert favours_player(tally) is favours


def checked(folder: Path, game: str, more: str) -> dict[str, Any]:
    """On all processors, by a process of its own."""
    path = folder / "table.toml"
    path.write_text(TABLE.format(game=game, more=more))
    command = [sys.executable, "-m", "controller", "check-config", str(path), "--json", "--seconds", "1"]
    return dict(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def test_drawing_on_after_a_bust_is_warned_of_with_the_figure(tmp_path: Path) -> None:
    found = checked(tmp_path, "blackjack-x", "[options]\ndraw_on_bust = true")
    main = found["bets"][0]
    assert (main["bet"], main["favours_player"], main["rounds"] == PORTION) == ("main", True, True)
    assert -0.09 < main["house_edge"] < -0.02
    (sentence,) = found["warnings"]
    assert sentence.startswith(f"main: the player has an edge of {-main['house_edge']:.4%} (simulated: ")


def test_simulation_names_wagers_that_cannot_be_placed(tmp_path: Path) -> None:
    limits = "[options.limits]\nbet = [100, 200]\nsurrender-or-play = [300, 400]"
    (sentence,) = checked(tmp_path, "quick-pay", limits)["warnings"]
    assert sentence.startswith("main: no round could be played: betting does not close")
