"""What the crew of a demonstration knows about each game."""

from typing import Any

import pytest

from controller.demo.crew.playbook import Circle, Playbook, PlayerView, playbook
from controller.games import GAMES, open_game


def playbook_of(game: str, **options: Any) -> Playbook:
    return playbook(open_game(game, options))


def circle(game: str, name: str, **options: Any) -> Circle:
    return next(circle for circle in playbook_of(game, **options).circles if circle.name == name)


@pytest.mark.parametrize("game", GAMES)
def test_circles_are_the_games_spots(game: str) -> None:
    circles = playbook_of(game).circles
    assert tuple(circle.name for circle in circles) == open_game(game).spots
    assert circles[0].chance == 1
    assert not circles[0].late


@pytest.mark.parametrize(
    ("game", "name", "late", "at_splits", "at_most_first", "like_first"),
    [
        ("easy-jack", "dealer-bust", False, False, False, False),
        ("ez-bust", "ez-bust", True, True, False, False),
        ("pure-21-5", "buster", False, False, True, False),
        ("quick-pay", "surrender-or-play", False, False, False, True),
        ("quick-pay", "hedge-19", True, False, False, False),
        ("blackjack-x", "blazing-7s", False, False, False, False),
    ],
)
def test_each_circle_states_when_and_how_much_to_wager(
    game: str, name: str, late: bool, at_splits: bool, at_most_first: bool, like_first: bool
) -> None:
    found = circle(game, name)
    assert (found.late, found.at_splits) == (late, at_splits)
    assert (found.at_most_first, found.like_first) == (at_most_first, like_first)


def test_no_wager_at_splits_where_there_is_none() -> None:
    assert not circle("ez-bust", "ez-bust", split_wager=False).at_splits


@pytest.mark.parametrize(
    ("options", "stakes"),
    [
        ({"limits": {"main": [1000, 2500]}}, (1000, 1500, 2500)),
        ({"chip": 1000}, (1000, 5000, 10_000)),
        ({"limits": {"main": [20_050, 90_000]}, "chip": 100}, (20_100,)),
    ],
)
def test_stakes_are_those_that_the_table_takes(options: dict[str, Any], stakes: tuple[int, ...]) -> None:
    assert tuple(circle("ez-bust", "main", **options).stakes) == stakes


def test_a_fixed_stake_is_the_only_one() -> None:
    assert tuple(circle("blackjack-x", "blazing-7s", stake=300).stakes) == (300,)


@pytest.mark.parametrize(
    ("game", "less", "says_play"),
    [
        ("ez-bust", True, False),
        ("blackjack-x", True, False),
        ("no-bust-21st-century", False, False),
        ("quick-pay", True, True),
    ],
)
def test_insurance_for_less_and_the_key_for_playing_on(game: str, less: bool, says_play: bool) -> None:
    assert (playbook_of(game).insures_for_less, playbook_of(game).says_play) == (less, says_play)


@pytest.mark.parametrize(
    ("game", "hands", "turn", "up", "key"),
    [
        ("easy-jack", (("6h",),), 0, "", "hit"),
        ("easy-jack", (("4h", "2d"),), 0, "", "stand"),
        ("ez-bust", (("Th", "6d"),), 0, "Ts", "surrender"),
        ("ez-bust", (("8h", "8d"),), 0, "Ts", "split"),
        ("ez-bust", (("8h", "3d"), ("8d", "8c")), 0, "6s", "double"),
        ("ez-bust", (("8h", "3d"), ("8d", "8c")), 1, "6s", "split"),
        ("ez-bust", (("8h", "8d"), ("8d",), ("8s",), ("8s",)), 0, "6s", "stand"),
        ("no-bust-21st-century", (("Th", "4d", "2s"),), 0, "As", "hit"),
        ("no-bust-21st-century", (("Th", "6s"),), 0, "As", "surrender"),
        ("quick-pay", (("Th", "9d"),), 0, "2s", "quick-pay"),
        ("blackjack-x", (("9h", "9d"),), 0, "9s", "split"),
    ],
)
def test_the_crew_plays_by_the_advice_of_the_game(
    game: str, hands: tuple[tuple[str, ...], ...], turn: int, up: str, key: str
) -> None:
    assert playbook_of(game).advise(PlayerView(hands, turn, up, plays_on=False)) == key


def test_a_hand_that_plays_on_is_not_paid_at_once_any_more() -> None:
    assert playbook_of("quick-pay").advise(PlayerView((("Th", "9d"),), 0, "2s", plays_on=True)) == "stand"


def test_hands_are_called_as_the_dealer_calls_them() -> None:
    assert playbook_of("ez-bust").count(["Ah", "6d"]) == "soft 17"
    assert playbook_of("easy-jack").count(["Ah"]) == "11"
