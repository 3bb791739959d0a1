"""Letters of charts that can be bettered are found, with what they gain."""

import pytest

from controller.games import open_game
from controller.games.easy_jack import ONE_CARD
from controller.money import Ratio
from controller.odds.charts import ChartCell
from controller.odds.easy_jack import main_bet
from controller.odds.kernel.uncovered import NotCovered
from controller.odds.optimize import Gain, _kindred, optimize
from controller.odds.simulate import simulate

ROUNDS = 50_000


def test_a_wrong_letter_is_found_with_its_exact_gain() -> None:
    """A single 9 that hits instead of standing. The exact gains are those of the odds."""
    game = open_game("easy-jack")
    game.charts = {**game.charts, ONE_CARD: game.charts[ONE_CARD].changed("H9 * H")}
    found = optimize(game, ROUNDS, 1, processors=1)
    (better,) = found.better
    assert (better.cell, better.letter, better.better) == (ChartCell(ONE_CARD, "H9", "*"), "H", "S")
    nine = next(
        each for each in main_bet(8, Ratio(3, 2), push_both=True, peek=False).best_play if each.cards == "9"
    )
    exact = float(nine.gains["stand"] - nine.gains["hit"])
    assert abs(better.gain.mean - exact) < 4 * better.gain.standard_error
    assert better.per_round == pytest.approx(better.gain.mean * better.gain.times / ROUNDS)
    assert abs(found.gain.mean - better.per_round) < 4 * found.gain.standard_error
    assert found.charts[ONE_CARD].rows == open_game("easy-jack").charts[ONE_CARD].rows


def test_the_best_chart_has_no_better_letter() -> None:
    """The odds prove that Easy Jack's charts are the best."""
    found = optimize(open_game("easy-jack"), ROUNDS, 2, processors=1)
    assert (found.better, found.gain, found.charts) == ((), Gain(), open_game("easy-jack").charts)


def test_a_pair_that_should_not_be_split_is_found_among_the_pairs() -> None:
    game = open_game("ez-bust")
    (part,) = game.charts
    game.charts = {part: game.charts[part].changed("P10 T P")}
    found = optimize(game, 2 * ROUNDS, 3, processors=1)
    letters = {(each.cell.row, each.cell.column): each.better for each in found.better}
    assert letters["P10", "T"] == "S"


def test_the_gain_is_that_of_two_simulations() -> None:
    """Which play other rounds, so their errors are much larger than that of the gain."""
    game = open_game("easy-jack")
    game.charts = {**game.charts, ONE_CARD: game.charts[ONE_CARD].changed("H7 * H  H8 * H  H9 * H  H10 * H")}
    found = optimize(game, ROUNDS, 4, processors=1)
    worse = simulate(game, ROUNDS, 5, processors=1).tallies[0]
    game.charts = found.charts
    good = simulate(game, ROUNDS, 6, processors=1).tallies[0]
    error = good.standard_error + worse.standard_error
    assert found.gain.standard_error < error / 2
    assert abs(worse.house_edge - good.house_edge - found.gain.mean) < 4 * error


def test_letters_that_do_the_same_keep_the_second_key_of_the_one_before() -> None:
    assert (_kindred("S", ["R", "r"]), _kindred("H", ["R", "r"]), _kindred("H", ["S", "d"])) == (
        "r",
        "R",
        "S",
    )
    assert _kindred("P", ["d", "r"]) == "d"


def test_the_same_seed_finds_the_same() -> None:
    game = open_game("easy-jack")
    game.charts = {**game.charts, ONE_CARD: game.charts[ONE_CARD].changed("H9 * H")}
    one, again, other = (optimize(game, 20_000, seed, processors=1) for seed in (1, 1, 2))
    assert one.gain == again.gain != other.gain


def test_what_the_tables_do_not_cover_cannot_be_optimized() -> None:
    game = open_game("easy-jack", {"limits": {"main": [10**9 + 1, 10**9 + 1]}})
    with pytest.raises(NotCovered, match="too much"):
        optimize(game, 1, 1)


def test_a_game_that_has_no_charts_cannot_be_optimized() -> None:
    game = open_game("easy-jack")
    game.charts = {}
    with pytest.raises(NotCovered, match="easy-jack has no charts"):
        optimize(game, 1, 1)
