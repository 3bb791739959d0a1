"""The play of the two No Bust games; a test that names no game holds for both."""

from collections.abc import Mapping
from typing import Any

import pytest

from controller.games import open_game
from controller.games.bets.insurance import Forbidden
from controller.games.layout import Hand, Layout, Turn
from controller.games.option_faults import BadOptions
from tests.controller.games.no_bust_hands import BOTH, HELD, NO_BUST, PURE, SPLIT, cards, laid


def choices(name: str, layout: Layout, options: Mapping[str, Any] | None = None) -> set[str]:
    return set(open_game(name, options).choices(layout, Turn(1, 0)))


TWO_CARDS = {
    # 11 and less must hit, 20 must not
    "2s 3d": "hit double",
    "5s 6d": "hit double",
    "5s 5d": "hit double split",
    "2s 2d": "hit double split",
    "As Ad": "hit stand double split",
    "As 2d": "hit stand double",
    "Ts 2d": "hit stand double",
    "As 8d": "hit stand double",
    "6s 6d": "hit stand double split",
    "Ts 9d": "hit stand double",
    "9s 9d": "hit stand double split",
    "As 9d": "stand double",
    "Ks Td": "stand double split",
    "Js Jd": "stand double split",
}

MORE_CARDS = {
    # 20 can neither double nor split, and is skipped like 21 and a bust
    "2s 3d 6h": "hit",
    "2s 2d 2h 3s": "hit",
    "2s 3d 7h": "hit stand",
    "2s As 9d": "hit stand",
    "As 4d 4h": "hit stand",
    "9s 5d 5h": "hit stand",
    "9s 5d 6h": "",
    "As 5d 4h": "",
    "As 2d 8h": "",
    "9s 5d 7h": "",
    "9s 5d 8h": "",
    "9s 9d 9h": "",
}


@BOTH
def test_two_cards_offer_the_keys_of_the_rules(name: str) -> None:
    """Both games let two cards surrender at any total."""
    allowed = {held: {*keys.split(), "surrender"} for held, keys in TWO_CARDS.items()}
    assert {held: choices(name, laid(held)) for held in TWO_CARDS} == allowed
    assert choices(name, laid("As Kd")) == set()


def test_three_or_more_cards_offer_the_keys_of_the_rules() -> None:
    allowed = {held: set(keys.split()) for held, keys in MORE_CARDS.items()}
    assert {held: choices(PURE, laid(held)) for held in MORE_CARDS} == allowed
    allowed = {held: {*keys, "surrender"} if keys else set() for held, keys in allowed.items()}
    assert {held: choices(NO_BUST, laid(held)) for held in MORE_CARDS} == allowed


@pytest.mark.parametrize(
    ("options", "held", "split", "open_to"),
    [
        ({}, "9s 5d", 0, {NO_BUST, PURE}),
        ({}, "9s 2d 3h", 0, {NO_BUST}),
        ({}, "9s 5d", 1, {NO_BUST}),
        ({"surrender": "first-two"}, "9s 5d", 0, {NO_BUST, PURE}),
        ({"surrender": "first-two"}, "9s 2d 3h", 0, set()),
        ({"surrender": "first-two"}, "9s 5d", 1, set()),
        ({"surrender": "none"}, "9s 5d", 0, set()),
    ],
)
def test_surrender_is_offered_when_the_option_allows_it(
    options: dict[str, str], held: str, split: int, open_to: set[str]
) -> None:
    layout = laid(held, split=split)
    assert {name for name in (NO_BUST, PURE) if "surrender" in choices(name, layout, options)} == open_to


SPLIT_HANDS = {
    # cards, hands of the seat: aces are split once and get one card each, others to four hands
    ("As Kd", 2): "",
    ("Ks Ad", 2): "",
    ("As Ad", 2): "",
    ("As 5d", 2): "",
    ("As 9d", 2): "",
    ("8s 8d", 2): "hit stand double split",
    ("8s 8d", 3): "hit stand double split",
    ("8s 8d", 4): "hit stand double",
    ("8s 3d", 4): "hit double",
    ("Ts Kd", 4): "stand double",
    ("5s Ad", 2): "hit stand double",
}


def test_hands_of_a_split_offer_the_keys_of_the_rules() -> None:
    seen = {
        (held, hands): choices(PURE, laid(held, split=1, beside=(SPLIT,) * (hands - 1)))
        for held, hands in SPLIT_HANDS
    }
    assert seen == {hand: set(keys.split()) for hand, keys in SPLIT_HANDS.items()}


@BOTH
def test_a_hand_that_is_done_chooses_nothing(name: str) -> None:
    for choice in ("stand", "double", "surrender"):
        assert choices(name, laid("9s 5d", choice=choice)) == set()


@pytest.mark.parametrize(
    ("options", "held", "choice", "waits"),
    [
        ({}, "Ts 2d", "", True),
        ({}, "9s 5d 7h", "", True),
        ({}, "As Kd", "", False),
        ({}, "Ts 2d", "surrender", False),
        ({}, HELD[22], "", False),
        ({}, HELD[23], "", True),
        ({}, HELD[25], "double", True),
        ({}, HELD[26], "", False),
        ({}, "Ts 2d 3h 9s", "", False),
        ({"three_card_bust_push": False}, HELD[23], "", False),
        ({"three_eights_push": True}, HELD[22], "", True),
        ({"three_eights_push": True}, "Ts 2d 3h 9s", "", True),
        ({"three_eights_push": True}, "As Kd", "", False),
        ({"three_eights_push": True}, "Ts 2d", "surrender", False),
    ],
)
def test_the_dealer_draws_for_what_may_still_change(
    options: dict[str, bool], held: str, choice: str, waits: bool
) -> None:
    for name in (NO_BUST, PURE):
        game = open_game(name, {"three_eights_push": False} | options)
        assert game.dealer_draws(laid(held, choice=choice)) is waits
        assert game.dealer_draws(laid(held, choice=choice, spots=("main", "buster")))


DRAWS = {
    "As 6d": True,
    "Ts 6d": True,
    "As 3d 3h": True,
    "Ts 7d": False,
    "As 7d": False,
    "As 6d Th": False,
    "As 2d 5h": False,
    "Ts 6d 2h": False,
    "Ts 6d 9h": False,
}


@BOTH
def test_the_dealer_hits_soft_17(name: str) -> None:
    game = open_game(name)
    assert {dealer: game.dealer_draws(laid("Ts 9d", dealer)) for dealer in DRAWS} == DRAWS


@BOTH
def test_the_dealer_looks_with_an_ace_or_a_ten_value(name: str) -> None:
    game = open_game(name)
    assert {up for up in "A23456789TJQK" if game.peeks(laid("Ts 9d", f"{up}s 5d"))} == set("ATJQK")


@BOTH
def test_insurance_is_for_seats_without_a_natural(name: str) -> None:
    game = open_game(name)
    assert game.windows == {"insuring"}
    assert game.insures(laid("Ts 9d", "As 5d")) == {1: {"insurance"}}
    assert game.insures(laid("As Kd", "As 5d")) == game.insures(laid("Ts 9d", "Ts 5d")) == {}


@BOTH
def test_insurance_is_exactly_half(name: str) -> None:
    game, layout = open_game(name, {"chip": 200}), laid("Ts 9d", "As 5d")
    assert [game.insurance(layout, 1, cents) for cents in (None, 400)] == [400, 400]
    for cents in (200, 600):
        with pytest.raises(Forbidden, match=f"insurance of {cents // 100}.*allowed: exactly 4"):
            game.insurance(layout, 1, cents)


LABELS: list[tuple[str, dict[str, str], str]] = [(NO_BUST, {}, "20.5"), (PURE, {}, "21.5")] + [
    (name, {"natural_label": label}, label) for name in (NO_BUST, PURE) for label in ("N", "21 1/2", "x" * 20)
]


@pytest.mark.parametrize(("name", "options", "label"), LABELS)
def test_a_natural_has_a_number_to_show(name: str, options: dict[str, str], label: str) -> None:
    game = open_game(name, options)
    shown = [game.label(Hand(cards(held), split=split)) for held, split in (("As Kd", 0), ("As Kd", 1))]
    assert shown == [label, ""]
    assert game.total(cards("As Kd")) == 21


def test_each_game_has_its_default_options() -> None:
    common = {
        "decks": 5,
        "chip": 1,
        "burn_cards": 1,
        "limits": {},
        "bets": {},
        "natural_pays": "6:5",
        "dealer_first_card": "up",
        "three_card_bust_push": True,
        "buster": "B5",
    }
    assert open_game(NO_BUST).options.model_dump() == common | {
        "surrender": "any-time",
        "three_eights_push": False,
        "natural_label": "20.5",
    }
    assert open_game(PURE).options.model_dump() == common | {
        "surrender": "first-two",
        "three_eights_push": True,
        "natural_label": "21.5",
    }


ALLOWED: list[tuple[str, str, list[object], str]] = [
    # game, option, forbidden values, allowed values
    (NO_BUST, "decks", [1, 6, "5", 5.0, True], "2, 3, 4, 5"),
    (PURE, "decks", [1, 6], "2, 3, 4, 5"),
    (NO_BUST, "surrender", ["late", None], '"any-time", "first-two", "none"'),
    (PURE, "surrender", ["any-time", "late"], '"first-two", "none"'),
    (PURE, "natural_label", ["", "x" * 21, 21.5], "text of 1 to 20 characters"),
    (NO_BUST, "natural_label", ["", "x" * 21, 21.5], "text of 1 to 20 characters"),
    (NO_BUST, "three_eights_push", [1, "true"], "true, false"),
    (PURE, "three_card_bust_push", [0, None], "true, false"),
    (PURE, "natural_pays", ["6/5", 1.2, "0:1"], 'a ratio, as "6:5"'),
]


def refused(name: str, option: str, value: object) -> str:
    with pytest.raises(BadOptions) as bad:
        open_game(name, {option: value})
    return str(bad.value)


@pytest.mark.parametrize(("name", "option", "values", "allowed"), ALLOWED)
def test_options_outside_the_rules_are_refused(
    name: str, option: str, values: list[object], allowed: str
) -> None:
    for value in values:
        said = refused(name, option, value)
        assert said.startswith(f"{option}: ")
        assert said.endswith(f" is not allowed; allowed: {allowed}")


@BOTH
def test_what_the_rules_fix_is_no_option(name: str) -> None:
    for option in ("max_hands", "dealer_hits_soft_17", "peek", "insurance"):
        assert "allowed: only decks, " in refused(name, option, 2)


@BOTH
def test_only_two_to_five_decks_are_allowed(name: str) -> None:
    assert [open_game(name, {"decks": decks}).options.decks for decks in range(2, 6)] == [2, 3, 4, 5]


ADVICE = {
    # the game's chart for two cards, hits and stands of basic strategy for more
    ("Ts 3d", "2s"): "hit",
    ("8s 3d 2h", "2s"): "stand",
    ("Ts 6d", "As"): "surrender",
    ("9s 5d 2h", "As"): "hit",
    ("Ts 7d", "As"): "surrender",
    ("9s 5d 3h", "As"): "stand",
    ("8s 3d", "As"): "double",
    ("4s 4d 3h", "As"): "hit",
    ("9s 9d", "As"): "split",
    ("Ks Td", "6s"): "stand",
    ("2s 2d", "8s"): "hit",
}


@BOTH
def test_advice_follows_the_strategy_chart(name: str) -> None:
    game = open_game(name)
    seen = {(held, up): game.advice(laid(held, f"{up} 5d"), Turn(1, 0)) for held, up in ADVICE}
    assert seen == ADVICE


def test_advice_after_a_split_follows_the_strategy_chart() -> None:
    """Where 21.5 no longer surrenders, the chart says what else to do."""
    layout = laid("9s 7d", "As 5d", split=1)
    assert [open_game(name).advice(layout, Turn(1, 0)) for name in (NO_BUST, PURE)] == ["surrender", "hit"]
