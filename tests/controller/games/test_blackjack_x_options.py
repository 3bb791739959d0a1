import pytest

from controller.games.blackjack_x import BlackjackX
from controller.games.option_faults import BadOptions


def test_a_bad_option_names_what_is_allowed() -> None:
    wrong: dict[str, tuple[object, str]] = {
        "decks": (6, "8"),
        "dealer_first_card": ("down", '"up", "hole"'),
        "dealer_hits_soft_17": (1, "true, false"),
        "blackjack_x_pays": (2, 'a ratio, as "2:1"'),
        "natural_31_pays": ("6", 'a ratio, as "6:5"'),
        "hard_31_pays": ("3", 'a ratio, as "3:1"'),
        "max_hands": (5, "2, 3, 4"),
        "player_may_hit_21": (1, "true, false"),
        "draw_on_bust": ("no", "true, false"),
        "surrender": ("late", '"first-two", "none"'),
        "stake": (0, "cents, a whole number from 1 on"),
    }
    with pytest.raises(BadOptions) as bad:
        BlackjackX({name: value for name, (value, _) in wrong.items()})
    found = {fault.key: fault.allowed for fault in bad.value.faults}
    assert found == {name: allowed for name, (_, allowed) in wrong.items()}


def test_the_least_stake_is_a_cent() -> None:
    assert BlackjackX({"stake": 1}).fixed_stake("blazing-7s") == 1


def test_there_is_no_one_pay_for_naturals() -> None:
    with pytest.raises(BadOptions, match="natural_pays"):
        BlackjackX({"natural_pays": "3:2"})


def test_every_option_has_a_default() -> None:
    assert BlackjackX().options.model_dump(mode="json") == {
        "decks": 8,
        "chip": 1,
        "burn_cards": 1,
        "limits": {},
        "bets": {},
        "dealer_first_card": "up",
        "dealer_hits_soft_17": True,
        "blackjack_x_pays": "2:1",
        "natural_31_pays": "6:5",
        "hard_31_pays": "3:1",
        "max_hands": 4,
        "player_may_hit_21": True,
        "draw_on_bust": False,
        "surrender": "first-two",
        "buster": "B5",
        "blazing_7s": 2,
        "stake": 100,
    }
