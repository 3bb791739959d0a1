from typing import Any

import pytest

from controller.games import UnknownGame, open_game
from controller.games.option_faults import BadOptions


def faults(options: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(BadOptions) as bad:
        open_game("easy-jack", options)
    return {fault.key: fault.allowed for fault in bad.value.faults}


def test_every_option_has_a_default() -> None:
    assert open_game("easy-jack").options.model_dump(mode="json") == {
        "decks": 8,
        "chip": 1,
        "burn_cards": 1,
        "bets": {},
        "limits": {},
        "natural": "3:2",
        "peek": False,
        "dealer_bust": {"2": "3:1", "3": "4:1", "4": "10:1", "5": "50:1", "6": "500:1"},
    }


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("decks", 7),
        ("decks", "8"),
        ("decks", True),
        ("decks", 8.0),
        ("decks", None),
        ("natural", "1:1"),
        ("natural", 1.5),
        ("peek", 1),
        ("peek", "true"),
        ("chip", 0),
        ("chip", -5),
        ("chip", 2.5),
        ("chip", True),
        ("burn_cards", -1),
        ("burn_cards", 53),
        ("burn_cards", False),
        ("dealer_bust", "B5"),
        ("dealer_bust", [["2", "3:1"]]),
        ("limits", [500, 1000]),
    ],
)
def test_a_value_outside_names_the_option(option: str, value: object) -> None:
    assert list(faults({option: value})) == [option]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("easy-jack", {"chip": 1}),
        ("easy-jack", {"burn_cards": 0}),
        ("easy-jack", {"burn_cards": 52}),
        ("easy-jack", {"decks": 6}),
        ("easy-jack", {"decks": 8}),
        ("ez-bust", {"max": 1}),
        ("easy-jack", {"limits": {"main": [500, 500], "dealer-bust": [0, 0]}}),
    ],
)
def test_the_least_and_greatest_allowed_values_are_taken(game: str, options: dict[str, object]) -> None:
    opened = open_game(game, options).options.model_dump()
    assert {option: opened[option] for option in options} == options


def test_a_table_names_the_entry() -> None:
    assert set(faults({"dealer_bust": {"2": "three", "1": "3:1", "3": 4, "4": "10:1"}})) == {
        "dealer_bust.2",
        "dealer_bust.1",
        "dealer_bust.3",
    }


def test_limits_name_the_spot() -> None:
    limits = {"main": [500, 100], "buster": [1, 2], "dealer-bust": [1, 2]}
    assert set(faults({"limits": limits})) == {"limits.main", "limits.buster"}


@pytest.mark.parametrize("between", [[500], [1, 2, 3], [1.5, 2], [-1, 2], "1-2"])
def test_limits_are_two_amounts(between: object) -> None:
    assert all(key.startswith("limits.main") for key in faults({"limits": {"main": between}}))


def test_all_faults_come_at_once() -> None:
    named = faults({"decks": 1, "peek": 1, "limits": {"x": [1, 2]}, "dealer_bust": {"9": "1:1"}, "deck": 6})
    assert set(named) == {"decks", "peek", "limits.x", "dealer_bust.9", "deck"}
    assert named["deck"] == "only decks, chip, burn_cards, bets, limits, natural, peek, dealer_bust"


def test_a_message_names_option_value_and_what_is_allowed() -> None:
    with pytest.raises(BadOptions, match=r'^natural: "2:1" is not allowed; allowed: "3:2", "6:5"$'):
        open_game("easy-jack", {"natural": "2:1"})


@pytest.mark.parametrize(
    ("game", "options", "named"),
    [
        ("no-bust-21st-century", {"buster": "B9"}, {"buster": "B9"}),
        ("no-bust-21st-century", {"buster": {"3": "1:1"}}, {"buster": {"3": "1:1"}}),
        ("no-bust-21st-century", {"buster": {"3": 4, "9": "1:1"}}, {"buster.3": 4, "buster.9": "9"}),
        ("ez-bust", {"suited_bust": "on"}, {"suited_bust": "on"}),
        ("ez-bust", {"suited_bust": 3, "max": 0, "decks": 5}, {"suited_bust": 3, "max": 0, "decks": 5}),
    ],
)
def test_a_value_of_several_forms_is_named_once(
    game: str, options: dict[str, object], named: dict[str, object]
) -> None:
    with pytest.raises(BadOptions) as bad:
        open_game(game, options)
    assert {fault.key: fault.value for fault in bad.value.faults} == named
    assert len(bad.value.faults) == len(named)


def test_an_unknown_game_names_those_there_are() -> None:
    with pytest.raises(UnknownGame, match="'jack' is not a game; allowed: ez-bust, easy-jack"):
        open_game("jack")


def test_options_cannot_change_under_a_game() -> None:
    with pytest.raises(ValueError, match="frozen"):
        open_game("easy-jack").options.chip = 5
