"""The settlement of the two No Bust games; a test that names no game holds for both."""

from collections.abc import Mapping
from typing import Any

from controller.games import open_game
from controller.games.layout import Layout
from tests.controller.games.no_bust_hands import BOTH, DEALER, HELD, MANY, NO_BUST, PURE, SPLIT, laid


def outcome(name: str, layout: Layout, options: Mapping[str, Any] | None = None) -> tuple[str, int | None]:
    line, *_ = open_game(name, options).settle(layout)
    return line.outcome, line.paid


STANDING = {
    # the hand, the dealer's
    ("As Kd", "6s Tc 5d"): ("win", 1200),
    ("As Kd", "6s Tc 9d"): ("win", 1200),
    ("Ts Ad", "As Kc"): ("push", 0),
    ("Ts 9d 2h", "As Kc"): ("lose", -1000),
    ("Ts 9d 2h", "7s 7c 7d"): ("push", 0),
    ("Ts 9d", "Ts 8c"): ("win", 1000),
    ("Ts 8d", "Ts 8c"): ("push", 0),
    ("Ts 7d", "Ts 8c"): ("lose", -1000),
    ("Ts 2d", "6s Tc 6d"): ("win", 1000),
    ("Ts 2d", "8s 8c 8d"): ("win", 1000),
    ("As Kd", "8s 8c 8d"): ("win", 1200),
}


@BOTH
def test_hands_of_21_or_less_are_compared_with_the_dealer(name: str) -> None:
    assert {each: outcome(name, laid(*each)) for each in STANDING} == STANDING


@BOTH
def test_ace_and_ten_of_a_split_are_no_natural(name: str) -> None:
    assert outcome(name, laid("As Kd", "6s Tc 5d", split=1)) == ("push", 0)
    assert outcome(name, laid("As Kd", "As Kc", split=1)) == ("lose", -1000)


PUSHES = {22: set[int](), 23: {24, 25, 26}, 24: {25, 26}, 25: {26}, 26: set[int](), 29: set[int]()}
"""Three cards of each total, and the dealer's busts against which they push."""


def pushes(name: str, held: str, options: Mapping[str, Any] | None = None) -> set[int]:
    """The dealer's busts against which a bust pushes; it loses against any other one."""
    seen = {bust: outcome(name, laid(held, dealer), options) for bust, dealer in DEALER.items()}
    assert set(seen.values()) <= {("push", 0), ("lose", -1000)}
    return {bust for bust, (what, _) in seen.items() if what == "push"}


@BOTH
def test_a_three_card_bust_pushes_against_a_higher_bust(name: str) -> None:
    """Three cards of 23, 24 or 25 push against a higher bust; any other bust loses, 22 always."""
    assert {total: pushes(name, held) for total, held in HELD.items()} == PUSHES
    assert {held: pushes(name, held) for held in MANY} == {held: set() for held in MANY}


@BOTH
def test_every_bust_loses_when_three_card_pushes_are_off(name: str) -> None:
    for held in HELD.values():
        assert pushes(name, held, {"three_card_bust_push": False}) == set()


@BOTH
def test_a_bust_loses_against_a_dealer_who_stands(name: str) -> None:
    for dealer in ("6s Tc 2d", "6s Tc 5d", "Ts 7c"):
        for held in (*HELD.values(), *MANY):
            assert outcome(name, laid(held, dealer)) == ("lose", -1000)


def test_three_eights_push_every_bust() -> None:
    for held in (*HELD.values(), *MANY):
        layout = laid(held, "8s 8c 8d")
        assert outcome(PURE, layout) == ("push", 0)
        assert outcome(PURE, layout, {"three_card_bust_push": False}) == ("push", 0)
        assert outcome(NO_BUST, layout, {"three_eights_push": True}) == ("push", 0)


def test_no_other_hand_is_three_eights() -> None:
    for dealer in ("6s Tc 8d", "8s 6c Td", "8s 8c 9d", "8s 7c 9d", "8s 8c", "8s 3c 8d 8h"):
        assert outcome(PURE, laid("Ts 4d 8h", dealer)) == ("lose", -1000)


def test_three_eights_are_a_bust_of_24_when_their_option_is_off() -> None:
    eights = {total: outcome(NO_BUST, laid(held, "8s 8c 8d"))[0] for total, held in HELD.items()}
    assert eights == dict.fromkeys(HELD, "lose") | {23: "push"}


@BOTH
def test_busts_of_doubles_and_splits_push_too(name: str) -> None:
    doubled = laid("Ts 3d Th", DEALER[24], choice="double", bet=2000, split=1, beside=(SPLIT,))
    (hand, other) = open_game(name).settle(doubled)
    assert (hand.outcome, hand.amount, hand.paid, other.outcome) == ("push", 2000, 0, "win")


REASONS = {
    ("Ts 4d 8h", "8s 8c 8d"): "bust with 22, dealer has three eights",
    ("Ts 5d 8h", "6s Tc 8d"): "bust with 23 in three cards, dealer busts higher with 24",
    ("Ts 6d 8h", "6s Tc 8d"): "bust with 24, dealer's 24 is no higher bust",
    ("Ts 6d 8h", "6s Tc 4d"): "bust with 24",
    ("As Kd", "8s 8c 8d"): "natural",
    ("Ts 2d", "As Td"): "dealer has a natural",
}


def test_each_settlement_states_its_reason() -> None:
    game = open_game(PURE)
    assert {each: game.settle(laid(*each))[0].reason for each in REASONS} == REASONS


def test_half_is_lost_at_a_surrender() -> None:
    assert outcome(NO_BUST, laid("Ts 4d", choice="surrender", bet=1001)) == ("lose", -500)
