from collections import Counter
from itertools import product
from typing import Any

import pytest

from controller.cards import DECK, Card
from controller.games.bets.blazing_7s import TABLES, BlazingSevens, awards, event
from controller.games.layout import Hand, Layout, Seat

OWN = dict(TABLES[2])


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def settled(
    up: str,
    seats: dict[int, str],
    *,
    table: Any = 2,
    stake: int | None = 100,
    jackpot: int = 2_000_000,
    chip: int = 1,
    seed: int | None = None,
) -> list[tuple[int, str, str | None, int | None]]:
    """Seat, outcome, ratio and gain of each line."""
    laid = {
        number: Seat({"main": 500, "blazing-7s": stake}, (Hand(cards(held), bet=500),))
        for number, held in seats.items()
    }
    seeds = {} if seed is None else {"blazing-7s": seed}
    layout = Layout(laid, up=Card(up), meters={"blazing-7s": jackpot}, seeds=seeds)
    lines = BlazingSevens(awards(table), 100, chip).settle(layout)
    return [(line.seat, line.outcome, line.pays, line.paid) for line in lines]


@pytest.mark.parametrize(
    ("first", "up", "happened"),
    [
        ("7d 7d", "7d", "777 diamonds"),
        ("7s 7s", "7s", "777 suited"),
        ("7h 7h", "7h", "777 suited"),
        ("7c 7c", "7c", "777 suited"),
        ("7d 7h", "7d", "777 one colour"),
        ("7s 7c", "7c", "777 one colour"),
        ("7d 7h", "7s", "777"),
        ("7d 7d", "7c", "777"),
        ("7d 7d", "6d", "two 7s"),
        ("7s 7h", "Kc", "two 7s"),
        ("7d 6d", "7d", "one 7"),
        ("Ks 7c", "7c", "one 7"),
        ("7s 2h", "Ah", "one 7"),
        ("6d 8d", "7d", None),
        ("Ks Ah", "2c", None),
    ],
)
def test_the_first_two_cards_and_the_up_card_decide_the_event(
    first: str, up: str, happened: str | None
) -> None:
    assert event(cards(first), Card(up)) == happened


def test_how_often_each_event_comes_out_of_equal_cards() -> None:
    """With replacement: 4^3 triples of sevens, by suits."""
    found = Counter(event((one, two), up) for one, two, up in product(DECK, repeat=3))
    assert found == {
        "777 diamonds": 1,
        "777 suited": 3,
        "777 one colour": 12,
        "777": 48,
        "two 7s": 16 * 48,
        "one 7": 2 * 4 * 48 * 52,
        None: 48 * 48 * 52,
    }


def test_an_award_for_one_includes_the_stake() -> None:
    assert settled("2c", {1: "7s 7d", 2: "7s 8d", 3: "9s 8d"}) == [
        (3, "lose", None, -100),
        (2, "win", "1:1", 100),
        (1, "win", "24:1", 2400),
    ]


def test_a_share_is_the_gain_without_the_stake() -> None:
    assert settled("7h", {4: "7h 7h"}, jackpot=2_345_678) == [(4, "win", "10%", 234_567 - 100)]
    assert settled("7d", {4: "7d 7d"}, jackpot=2_345_678) == [(4, "win", "100%", 2_345_578)]


def test_a_share_is_rounded_down_to_the_chip_without_a_word_of_it() -> None:
    laid = {1: Seat({"blazing-7s": 100}, (Hand(cards("7h 7h")),))}
    bet = BlazingSevens(awards(2), 100, 500)
    (line,) = bet.settle(Layout(laid, up=Card("7h"), meters={"blazing-7s": 1_239_999}))
    assert (line.paid, line.rounding) == (123_500 - 100, None)
    assert line.reason == "three suited 7s: 10% of the jackpot"


def test_a_second_share_is_of_what_the_first_left() -> None:
    """Counter-clockwise: the highest seat first."""
    assert settled("7h", {2: "7h 7h", 6: "7h 7h"}, jackpot=1_000_001) == [
        (6, "win", "10%", 100_000 - 100),
        (2, "win", "10%", 90_000 - 100),
    ]


def test_what_the_chip_keeps_from_the_first_share_is_in_the_second() -> None:
    assert settled("7h", {2: "7h 7h", 6: "7h 7h"}, jackpot=1_009_999, chip=10_000) == [
        (6, "win", "10%", 100_000 - 100),
        (2, "win", "10%", 90_000 - 100),
    ]
    whole = {**OWN, "777 suited": "100%"}
    assert settled(
        "7h", {2: "7h 7h", 6: "7d 7h"}, table={**whole, "777 one colour": "50%"}, chip=300, jackpot=1_000
    ) == [(6, "win", "50%", 300 - 100), (2, "win", "100%", 600 - 100)]


@pytest.mark.parametrize(("set_to", "seed"), [(None, 1_000_000), (50_000, 50_000)])
def test_the_share_after_a_full_win_is_taken_of_the_seed(set_to: int | None, seed: int) -> None:
    seats = {1: "7h 7d", 3: "7d 7d", 5: "7d 7d"}
    assert settled("7d", seats, table={**OWN, "777 one colour": "10%"}, seed=set_to) == [
        (5, "win", "100%", 2_000_000 - 100),
        (3, "win", "100%", seed - 100),
        (1, "win", "10%", seed // 10 - 100),
    ]


def test_fixed_awards_leave_the_jackpot_alone() -> None:
    assert settled("7d", {1: "7d 7d", 2: "7d 7s", 3: "7d 2s"}) == [
        (3, "win", "1:1", 100),
        (2, "win", "199:1", 19_900),
        (1, "win", "100%", 1_999_900),
    ]


def test_an_unknown_amount_is_the_stake() -> None:
    assert settled("7d", {1: "7d 7s", 2: "9d 9s"}, stake=None) == [
        (2, "lose", None, -100),
        (1, "win", "199:1", 19_900),
    ]


def test_only_seats_with_the_wager_are_settled() -> None:
    laid = {1: Seat({"main": 500}, (Hand(cards("7d 7d")),))}
    assert [*BlazingSevens(awards(2), 100, 1).settle(Layout(laid, up=Card("7d")))] == []


def test_no_card_is_looked_at_before_the_deal() -> None:
    laid = {1: Seat({"blazing-7s": 100}, (Hand(cards("7d 7d")),))}
    with pytest.raises(AssertionError, match="needs an up-card"):
        list(BlazingSevens(awards(2), 100, 1).settle(Layout(laid, meters={"blazing-7s": 1})))


def test_the_stake_is_exact() -> None:
    bet = BlazingSevens(awards(2), 250, 1)
    assert bet.fixed_stake == 250
    assert [*bet.faults({"main": 100})] == []
    assert [*bet.faults({"main": 100, "blazing-7s": 250})] == []
    assert [*bet.faults({"main": 100, "blazing-7s": None})] == []
    for cents in (249, 251, 500):
        (fault,) = bet.faults({"main": 100, "blazing-7s": cents})
        assert fault == f"blazing-7s of {cents / 100:.2f} is not the stake; allowed: exactly 2.50"


def test_each_settlement_states_its_reason() -> None:
    """The highest seat first."""
    laid = {
        seat: Seat({"blazing-7s": 100}, (Hand(cards(held)),))
        for seat, held in enumerate(("7d 7d", "7h 7d", "7d 7s", "7s 2d", "9s 8d"), 1)
    }
    three = BlazingSevens(awards(2), 100, 1).settle(Layout(laid, up=Card("7d"), meters={"blazing-7s": 200}))
    assert [line.reason for line in three] == [
        "no 7 in the first two cards",
        "one 7 in the first two cards",
        "three 7s",
        "three 7s of one colour",
        "three 7s of diamonds: 100% of the jackpot",
    ]
    (two, *_) = BlazingSevens(awards(2), 100, 1).settle(
        Layout({1: laid[1]}, up=Card("8d"), meters={"blazing-7s": 200})
    )
    assert two.reason == "two 7s in the first two cards"
