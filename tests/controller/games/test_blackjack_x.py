from itertools import product
from typing import Any

import pytest

from controller.cards import DECK, Card
from controller.games import open_game
from controller.games.blackjack_x import BlackjackX, natural_rank
from controller.games.layout import Hand, Layout, Seat, Settlement, Turn
from controller.round import CardOut, EventRefused, Key, Round, Wager

FIRST = Turn(1, 0)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def laid(held: str, dealer: str = "9h 8c", *, choice: str = "", split: int = 0, **wagers: int) -> Layout:
    """One seat's hand of 10.00 and the dealer's."""
    up, hole, *drawn = cards(dealer)
    hand = Hand(cards(held), choice, bet=1000, split=split)
    hands = (hand, Hand(cards("9s 8s"), "stand", bet=1000, split=1)) if split else (hand,)
    return Layout({1: Seat({"main": 1000, **wagers}, hands)}, up=up, hole=hole, drawn=tuple(drawn))


def choices(held: str, *, choice: str = "", split: int = 0, **options: Any) -> set[str]:
    return set(BlackjackX(options).choices(laid(held, choice=choice, split=split), FIRST))


def first_line(layout: Layout, **options: Any) -> Settlement:
    return BlackjackX(options).settle(layout)[0]


def played(tokens: str, **options: Any) -> Round:
    """Seat 1 with a main wager of 10.00."""
    playing = Round(open_game("blackjack-x", options))
    playing.handle(Wager(1, "main", True, 1000))
    playing.handle(Key("close"))
    for token in tokens.split():
        seat, _, action = token.rpartition(":")
        playing.handle(Key(action, int(seat)) if seat else CardOut(Card(token)))
    return playing


def expected_rank(one: Card, other: Card) -> str:
    """By the words of the rules."""
    ranks = {one[0], other[0]}
    if ranks == {"A", "K"} and one[1] == other[1]:
        return "Blackjack X"
    return "Natural 31" if "A" in ranks and ranks & set("TJQK") else ""


def test_two_cards_of_31_are_a_natural() -> None:
    for pair in product(DECK, repeat=2):
        assert natural_rank(pair) == expected_rank(*pair), pair


def test_three_cards_are_no_natural() -> None:
    assert natural_rank(cards("As Ks 2d")) == ""
    assert natural_rank(cards("As")) == ""


@pytest.mark.parametrize(
    ("held", "split", "label"),
    [
        ("As Ks", 0, "Blackjack X"),
        ("Ks As", 0, "Blackjack X"),
        ("As Kd", 0, "Natural 31"),
        ("As Qs", 0, "Natural 31"),
        ("As Ks", 1, ""),
        ("As Kd", 1, ""),
        ("7s 7d 7c Ks", 0, "Hard 31"),
        ("9s 2d Ks Qh", 1, "Hard 31"),
        ("9s 2d Ks 2h 8d", 0, "Hard 31"),
        ("9s 2d Ks 2h 9d", 0, "bust"),
        ("7s 7d 8c", 0, "bust"),
        ("Ks Qd As", 0, ""),
        ("Ks Qd", 0, ""),
    ],
)
def test_each_hand_has_its_label(held: str, split: int, label: str) -> None:
    assert BlackjackX().label(Hand(cards(held), split=split)) == label


def test_a_hand_that_may_draw_on_is_not_bust_yet() -> None:
    game = BlackjackX({"draw_on_bust": True})
    assert game.label(Hand(cards("Ks Qd 5s"))) == ""
    assert game.label(Hand(cards("Ks Qd 5s"), "stand")) == "bust"
    assert game.label(Hand(cards("Ks Qd 5s 7s"))) == "bust"
    assert game.label(Hand(cards("Ks Qd 5s 6s"))) == "Hard 31"


@pytest.mark.parametrize(
    ("held", "total", "bust"),
    [
        ("As Ks", 21, False),
        ("7s 7d 7c", 21, False),
        ("7s 7d 7c Ks", 31, False),
        ("7s 7d 8c", 22, True),
        ("Ks Qs Ts", 30, True),
        ("Ks Qs Ts 2h", 32, True),
        ("As Kd Ts Th", 31, False),
    ],
)
def test_totals_are_card_values(held: str, total: int, bust: bool) -> None:
    game = BlackjackX()
    assert (game.total(cards(held)), game.bust(cards(held))) == (total, bust)


@pytest.mark.parametrize(
    ("held", "split", "keys"),
    [
        ("9s 8s", 0, "hit stand double surrender"),
        ("8s 8d", 0, "hit stand double surrender split"),
        ("Ks Td", 0, "hit stand double surrender split"),
        ("As Ad", 0, "hit stand double surrender split"),
        ("9s 8s", 1, "hit stand double surrender"),
        ("8s 8d", 1, "hit stand double surrender split"),
        ("5s 4d 2c", 0, "hit stand"),
        ("7s 7d 7c", 0, "hit stand"),
        ("As 8d 2c", 0, "hit stand"),
        ("Ts As", 1, "hit stand double surrender"),
        ("Ks As", 1, "hit stand double surrender"),
        ("As Ts", 1, ""),
        ("As Ad", 1, ""),
        ("As 5d", 1, ""),
        ("As Ts", 0, ""),
        ("Ks As", 0, ""),
        ("7s 7d 8c", 0, ""),
        ("Ks Qd Ts", 0, ""),
        ("7s 7d 7c Ks", 0, ""),
        ("7s 7d 8c Ks", 0, ""),
    ],
)
def test_each_hand_offers_the_keys_of_the_rules(held: str, split: int, keys: str) -> None:
    assert choices(held, split=split) == set(keys.split())


@pytest.mark.parametrize("choice", ["stand", "double", "surrender"])
def test_no_key_follows_the_last_one_of_a_hand(choice: str) -> None:
    assert choices("9s 8s", choice=choice) == set()
    assert choices("Ks Qd 5s", choice=choice, draw_on_bust=True) == set()


@pytest.mark.parametrize(("held", "split"), [("7s 7d 7c", 0), ("As 8d 2c", 0), ("Ts As", 1)])
def test_21_is_passed_over_where_it_may_not_be_hit(held: str, split: int) -> None:
    assert choices(held, split=split, player_may_hit_21=False) == set()


def test_a_hand_over_21_may_draw_on_to_31_where_the_option_says_so() -> None:
    for total, held in {22: "Ks Qd 2s", 25: "Ks Qd 5s", 30: "Ks Qd Ts"}.items():
        assert BlackjackX().total(cards(held)) == total
        assert choices(held, draw_on_bust=True) == {"hit", "stand"}
        assert choices(held, draw_on_bust=True, player_may_hit_21=False) == {"hit", "stand"}
    assert choices("Ks Qd 5s 6s", draw_on_bust=True) == set()
    assert choices("Ks Qd 5s 7s", draw_on_bust=True) == set()
    assert choices("7s 7d 7c", draw_on_bust=True, player_may_hit_21=False) == set()


def test_no_surrender_where_the_option_says_so() -> None:
    assert choices("9s 8s", surrender="none") == {"hit", "stand", "double"}


def test_no_more_hands_than_the_option_says() -> None:
    assert choices("8s 8d", split=1, max_hands=2) == {"hit", "stand", "double", "surrender"}


@pytest.mark.parametrize(
    ("held", "dealer", "outcome", "pays", "reason"),
    [
        ("As Ks", "9h 8c", "win", "2:1", "Blackjack X"),
        ("As Ks", "Ah Qh", "win", "2:1", "Blackjack X"),
        ("As Ks", "Kh Ah", "push", None, "both have Blackjack X"),
        ("As Kd", "9h 8c", "win", "6:5", "Natural 31"),
        ("As Kd", "Ah Kc", "push", None, "both have Natural 31"),
        ("As Kd", "Ah Kh", "lose", None, "dealer has Blackjack X"),
        ("9s 8s", "Ah Kh", "lose", None, "dealer has Blackjack X"),
        ("Ks Qs", "Th Ah", "lose", None, "dealer has Natural 31"),
        ("7s 7d 7c Ks", "9h 8c", "win", "3:1", "Hard 31"),
        ("7s 7d 7c Ks", "7h 7c 7s", "win", "3:1", "Hard 31"),
        ("7s 7d 7c Ks", "9h 6c Kc", "win", "3:1", "Hard 31"),
        ("7s 7d 8c", "9h 6c Kc", "lose", None, "bust with 22"),
        ("Ks Qd Ts", "9h 6c Kc", "lose", None, "bust with 30"),
        ("Ks Qd Ts 2d", "9h 6c Kc", "lose", None, "bust with 32"),
        ("9s 2s", "9h 6c Kc", "win", "1:1", "dealer busts with 25"),
        ("7s 7d 7c", "9h 6c Kc", "win", "1:1", "dealer busts with 25"),
        ("7s 7d 7c", "Kh Qc", "win", "1:1", "21 beats dealer's 20"),
        ("Ks Qs", "Kh Qc", "push", None, "both have 20"),
        ("Ks Qs", "7h 7c 7d", "lose", None, "dealer's 21 beats 20"),
        ("7s 7d 7c", "8h 6c 7d", "push", None, "both have 21"),
    ],
)
def test_a_hand_is_settled_against_the_dealer(
    held: str, dealer: str, outcome: str, pays: str | None, reason: str
) -> None:
    line = first_line(laid(held, dealer, choice="stand"))
    assert (line.outcome, line.pays, line.reason) == (outcome, pays, reason)


@pytest.mark.parametrize(
    ("held", "dealer", "outcome", "pays"),
    [
        ("Ks As", "9h 8c", "win", "1:1"),
        ("As Ks", "7h 7c 7d", "push", None),
        ("Ts As", "Kh Ah", "lose", None),
        ("Ks 9d 2c Th", "9h 8c", "win", "3:1"),
    ],
)
def test_no_hand_of_a_split_is_a_natural(held: str, dealer: str, outcome: str, pays: str | None) -> None:
    line = first_line(laid(held, dealer, choice="stand", split=1))
    assert (line.outcome, line.pays) == (outcome, pays)


def test_what_is_paid_is_an_option() -> None:
    pays = {"blackjack_x_pays": "5:2", "natural_31_pays": "3:2", "hard_31_pays": "4:1"}
    assert [first_line(laid(held), **pays).paid for held in ("As Ks", "As Kd", "7s 7d 7c Ks")] == [
        2500,
        1500,
        4000,
    ]


def test_standing_over_21_loses_and_31_wins_where_a_hand_may_draw_on() -> None:
    over = laid("Ks Qd 5s", "9h 6c Kc", choice="stand")
    assert first_line(over, draw_on_bust=True).outcome == "lose"
    assert first_line(laid("Ks Qd 5s 6s", "9h 6c"), draw_on_bust=True).pays == "3:1"


@pytest.mark.parametrize(
    ("held", "choice", "draws"),
    [
        ("9s 8s", "stand", True),
        ("7s 7d 7c", "stand", True),
        ("7s 7d 7c Ks", "", False),
        ("As Ks", "", False),
        ("As Kd", "", False),
        ("Ks Qd 5s", "", False),
        ("Ks Qd 5s", "stand", False),
        ("9s 8s", "surrender", False),
        ("9s 8s 4d", "double", True),
        ("9s 8s 5d", "double", False),
    ],
)
def test_the_dealer_draws_only_for_a_live_wager(held: str, choice: str, draws: bool) -> None:
    assert BlackjackX().dealer_draws(laid(held, "9h 6c", choice=choice)) is draws
    with_buster = laid(held, "9h 6c", choice=choice, buster=500)
    assert BlackjackX().dealer_draws(with_buster)


@pytest.mark.parametrize(
    ("dealer", "hits", "draws"),
    [
        ("Ah 6c", True, True),
        ("Ah 6c", False, False),
        ("9h 8c", True, False),
        ("9h 7c", False, True),
        ("Ah 7c", True, False),
    ],
)
def test_the_dealer_plays_soft_17_by_the_option(dealer: str, hits: bool, draws: bool) -> None:
    game = BlackjackX({"dealer_hits_soft_17": hits})
    assert game.dealer_draws(laid("9s 9d", dealer, choice="stand")) is draws


@pytest.mark.parametrize("held", ["As Ks", "Ks As", "As Td", "Qs As"])
def test_b4_looks_for_either_natural(held: str) -> None:
    dealer = "2h 2c 2d 2s 3h 3c Kd"
    for own, pays in ((held, "800:1"), ("9s 8s", "50:1")):
        layout = laid(own, dealer, buster=100)
        assert BlackjackX({"buster": "B4"}).settle(layout)[1].pays == pays


def test_advice_is_basic_strategy_and_draws_where_nothing_is_to_lose() -> None:
    game = BlackjackX({"draw_on_bust": True})
    hands = {"9s 7s": "hit", "7s 7d 7c": "stand", "6s 5s": "double", "8s 8d": "split", "Ks Qd 5s": "hit"}
    assert {held: game.advice(laid(held, "9h 8c"), FIRST) for held in hands} == {
        **hands,
        "9s 7s": "surrender",
    }
    assert game.advice(laid("Ks Qd Ts", "9h 8c"), FIRST) == "hit"
    assert game.advice(laid("Ts As", "9h 8c", split=1), FIRST) == "stand"


@pytest.mark.parametrize(
    ("tokens", "first"),
    [
        ("7d 9s 7s Ks", "7d 7s"),
        ("7d 9s 7s Ks 4c 1:hit", "7d 7s"),
        ("7d 9s 7s Ks 1:split Kd 1:stand Kc 1:stand", "7d 7s"),
        ("7d 9s 7s Ks 1:split 7h 1:split 2s 1:stand 3s 1:stand 4s 1:stand", "7d 7s"),
        ("7d 9s 7s Ks 1:split 2s 1:stand 7h 1:split 3s 1:stand 4s 1:stand", "7d 7s"),
        ("7d 9s 7s Ks 1:split 7h 1:split 7c 1:split 2s 1:stand 3s 1:stand 4s 1:stand 5s 1:stand", "7d 7s"),
        ("7d 9s 7s Ks 1:split 7h 1:split 2s 1:stand 3s 1:stand 7c 1:split 4s 1:stand 5s 1:stand", "7d 7s"),
        ("7d 9s 7s Ks 1:split 2s 1:stand 7h 1:split 3s 1:stand 7c 1:split 4s 1:stand 5s 1:stand", "7d 7s"),
        ("7d 9s 7s Ks 1:split", "7d 7s"),
    ],
)
def test_the_two_cards_first_dealt_are_known_whatever_is_split(tokens: str, first: str) -> None:
    assert played(tokens).seats[1].first_two == cards(first)


def test_no_card_comes_before_the_jackpot_is_known() -> None:
    playing = Round(open_game("blackjack-x"))
    for spot, cents in (("main", 1000), ("blazing-7s", 100)):
        playing.handle(Wager(1, spot, True, cents))
    playing.handle(Key("close"))
    assert playing.unknown_jackpots == ("blazing-7s",)
    with pytest.raises(EventRefused, match="the jackpot of blazing-7s is not known yet"):
        playing.handle(CardOut(Card("8d")))


def test_any_seat_may_insure_for_up_to_half() -> None:
    playing = played("As Ah Ks 9d")
    assert playing.phase == "insuring"
    playing.handle(Key("insurance", 1, 300))
    assert [(line.wager, line.outcome, line.paid) for line in playing.settlements] == [
        ("main", "win", 2000),
        ("insurance", "lose", -300),
    ]


@pytest.mark.parametrize("hole", ["Kh", "Kd", "Ts"])
def test_insurance_pays_on_either_natural(hole: str) -> None:
    playing = played(f"9s Ah 8s {hole}")
    playing.handle(Key("insurance", 1))
    assert [(line.outcome, line.pays, line.paid) for line in playing.settlements] == [
        ("lose", None, -1000),
        ("win", "2:1", 1000),
    ]


def test_insurance_over_half_names_what_is_allowed() -> None:
    with pytest.raises(EventRefused, match=r"allowed: at most 5\.00"):
        played("9s Ah 8s Kh").handle(Key("insurance", 1, 501))


def test_a_hard_31_needs_no_dealer() -> None:
    playing = played("7s 9h 7d 6c 7c Ks")
    assert playing.phase == "paying"
    assert [line.paid for line in playing.settlements] == [3000]
