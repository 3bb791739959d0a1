from typing import Any

import pytest

from controller.cards import Card
from controller.games import open_game
from controller.round import EventRefused, Key, Peeked, Revealed, Round, Settled, Void, Wager, WagerAlert
from tests.fixtures.round_notation import bet, opened, run


def refusal(played: Round, event: Wager | Key | Void) -> str:
    with pytest.raises(EventRefused) as refused:
        played.handle(event)
    return refused.value.reason


def dealt(cards: str, *, burn: int = 0, dealer_bust: int | None = None, **options: Any) -> Round:
    """Seat 2 alone, betting closed, `cards` out."""
    played = opened(burn=burn, **options)
    bet(played, 2, dealer_bust=dealer_bust)
    run(played, f"close {cards}")
    return played


def test_advice_is_about_the_hand_to_act_and_there_is_none_while_it_waits_for_its_card() -> None:
    played, advised = opened(burn=0), []
    bet(played, 2)
    for token in ("close", "2s", "4h", "5d", "2:hit", "3c", "2:stand", "2c"):
        advised.append(played.advice)
        run(played, token)
    assert advised == ["", "", "", "hit", "stand", "", "stand", ""]


def test_a_round_asks_for_one_thing_after_the_other() -> None:
    played, asked = opened(burn=1), []
    bet(played, 2)
    bet(played, 5, dealer_bust=200)
    for token in (
        "close",
        "4c",
        "2s",
        "Ah",
        "4h",
        "5d",
        "2:hit",
        "3c",
        "2:stand",
        "2c",
        "9d",
        "2:pay",
        "5:pay",
    ):
        asked.append((played.phase, played.cards_due, played.due.text, played.due.seat, sorted(played.keys)))
        run(played, token)
    assert asked == [
        ("betting", 0, "Place your bets: 3 wagers", 0, ["close"]),
        ("burning", 1, "Burn 1 card", 0, []),
        ("dealing", 3, "Deal 3 cards", 2, []),
        ("dealing", 2, "Deal 2 cards", 5, []),
        ("dealing", 1, "Deal 1 card", 0, []),
        ("playing", 1, "Seat 2 has 2: hit or stand", 2, ["hit", "stand"]),
        ("playing", 1, "Seat 2 has 7: hit or stand", 2, ["hit", "stand"]),
        ("playing", 1, "Seat 2 has 7 and hits: draw a card", 2, []),
        ("playing", 1, "Seat 2 has 10: hit or stand", 2, ["hit", "stand"]),
        ("drawing", 1, "Dealer has 4: draw", 0, []),
        ("drawing", 1, "Dealer has 6: draw", 0, []),
        ("paying", 0, "Pay seat 2, then seat 5", 2, ["pay"]),
        ("paying", 0, "Pay seat 5", 5, ["pay"]),
    ]
    assert (played.phase, played.due.text, played.keys) == ("over", "The round is over", frozenset())
    assert played.net == {2: 1000, 5: 1500 + 200 * 4}


def test_pay_for_the_whole_table_ends_the_round() -> None:
    played = dealt("9s 8h 2:stand")
    run(played, "pay")
    assert played.phase == "over"


def test_commands_tell_what_must_be_noted() -> None:
    played = opened(peek=True)
    bet(played, 2)
    assert run(played, "close 9s") == ()
    assert run(played, "8h") == (Peeked(natural=False),)
    revealed, settled = run(played, "2:stand")
    assert revealed == Revealed(Card("8h"))
    assert settled == Settled(played.settlements)


def test_a_peeked_natural_ends_the_round_before_anyone_acts() -> None:
    played = opened(peek=True)
    bet(played, 2)
    commands = run(played, "close 9s Ah")
    assert [type(command) for command in commands] == [Peeked, Revealed, Settled]
    assert (played.phase, played.net) == ("paying", {2: -1000})


class TestBetting:
    def test_counts_wagers(self) -> None:
        played = opened()
        assert (played.due.text, played.due.seat) == ("Place your bets", 0)
        bet(played, 3)
        assert (played.due.text, played.due.seat) == ("Place your bets: 1 wager", 0)

    def test_a_wager_may_change_and_go(self) -> None:
        played = opened()
        bet(played, 3, 500)
        bet(played, 3, 1500)
        bet(played, 4, None)
        played.handle(Wager(4, "main", False))
        assert {seat: dict(at.wagers) for seat, at in played.seats.items()} == {3: {"main": 1500}}

    def test_does_not_close_without_a_wager(self) -> None:
        played = opened()
        assert played.keys == frozenset()
        assert refusal(played, Key("close")) == "betting does not close: there is no wager"

    def test_does_not_close_while_a_known_amount_is_outside_the_limits(self) -> None:
        played = opened(limits={"main": [500, 1000], "dealer-bust": [100, 200]})
        bet(played, 3, 400, 300)
        bet(played, 6, None)
        assert (played.due.text, played.due.seat) == ("Seat 3: main of 4.00 is under the minimum of 5.00", 3)
        assert played.keys == frozenset()
        assert refusal(played, Key("close")) == (
            "betting does not close: Seat 3: main of 4.00 is under the minimum of 5.00; "
            "Seat 3: dealer-bust of 3.00 is over the maximum of 2.00"
        )
        bet(played, 3, 500, 200)
        run(played, "close")
        assert played.phase == "dealing"

    def test_dealer_bust_needs_a_main_wager(self) -> None:
        played = opened()
        played.handle(Wager(3, "dealer-bust", True, 100))
        assert (played.due.text, played.due.seat) == ("Seat 3: dealer-bust needs a main wager", 3)

    def test_no_card_is_due(self) -> None:
        played = opened()
        bet(played, 1)
        with pytest.raises(EventRefused, match="no card is due: Place your bets: 1 wager"):
            run(played, "9s")

    @pytest.mark.parametrize("seat", [-1, 0, 8])
    def test_a_wager_on_a_missing_seat_is_refused(self, seat: int) -> None:
        assert (
            refusal(opened(), Wager(seat, "main", True, 100)) == f"there is no seat {seat}; seats are 1 to 7"
        )

    def test_a_wager_on_a_missing_spot_is_refused(self) -> None:
        wager = Wager(1, "buster", True, 100)
        assert refusal(opened(), wager) == "easy-jack has no spot buster; it has main, dealer-bust"

    def test_other_keys_are_refused_during_betting(self) -> None:
        assert refusal(opened(), Key("stand", 1)) == "stand is not possible: betting is open"

    @pytest.mark.parametrize(("present", "cents"), [(True, 0), (True, -5), (False, 100)])
    def test_a_wager_without_sense_cannot_be_built(self, present: bool, cents: int) -> None:
        with pytest.raises(ValueError, match="at least one cent"):
            Wager(1, "main", present, cents)


class TestLatchedWagers:
    @pytest.mark.parametrize("cards", ["", "9s", "9s 4h", "9s 4h 2:stand"])
    @pytest.mark.parametrize(
        ("wager", "what"),
        [
            (Wager(4, "main", True, 500), "appeared"),
            (Wager(2, "dealer-bust", True, None), "appeared"),
            (Wager(2, "main", False), "vanished"),
            (Wager(2, "main", True, 5000), "changed"),
        ],
    )
    def test_raise_an_alert_and_stay(self, cards: str, wager: Wager, what: str) -> None:
        played = dealt(cards)
        before = dict(played.seats)
        text = f"seat {wager.seat}: a {wager.spot} wager {what} after betting closed"
        assert played.handle(wager) == (WagerAlert(wager.seat, wager.spot, text),)
        assert played.seats == before

    @pytest.mark.parametrize(
        "wager", [Wager(2, "main", True, 1000), Wager(2, "main", True), Wager(4, "main", False)]
    )
    def test_say_nothing_when_the_sensor_repeats_itself(self, wager: Wager) -> None:
        assert dealt("9s 4h").handle(wager) == ()

    @pytest.mark.parametrize("last", ["", "2:pay"])
    def test_may_leave_while_and_after_paying(self, last: str) -> None:
        played = dealt(f"9s 8h 2:stand {last}")
        assert played.handle(Wager(2, "main", False)) == ()
        assert played.net == {2: 1000}


class TestPaying:
    def test_a_seat_with_nothing_to_pay(self) -> None:
        played = dealt("9s 8h 2:stand")
        assert refusal(played, Key("pay", 3)) == "seat 3 has nothing to pay: Pay seat 2"
        assert refusal(played, Key("stand", 2)) == "stand is not possible: Pay seat 2"
        assert refusal(played, Key("pay", 2, 500)) == "pay takes no amount"

    def test_no_card_is_due(self) -> None:
        with pytest.raises(EventRefused, match="no card is due: Pay seat 2"):
            run(dealt("9s 8h 2:stand"), "4c")

    def test_begins_at_third_base_if_the_house_does(self) -> None:
        played, asked = Round(open_game("easy-jack"), pay_from="third-base"), []
        for seat in (2, 4, 5, 7):
            bet(played, seat)
        run(played, "close 4h 5h 6h 7h 9s 2:stand 4:stand 5:stand 7:stand")
        for token in ("4:pay", "7:pay", "5:pay", "2:pay"):
            asked.append((played.unpaid, played.due.text, played.due.seat))
            run(played, token)
        assert asked == [
            ((7, 5, 4, 2), "Pay seat 7, then seats 5-4, 2", 7),
            ((7, 5, 2), "Pay seat 7, then seats 5, 2", 7),
            ((5, 2), "Pay seat 5, then seat 2", 5),
            ((2,), "Pay seat 2", 2),
        ]
        assert played.phase == "over"

    def test_when_it_is_over_it_is_over(self) -> None:
        played = dealt("9s 8h 2:stand pay")
        assert refusal(played, Key("pay")) == "pay is not possible: The round is over"


class TestVoid:
    @pytest.mark.parametrize(
        "so_far", ["", "9s", "9s 4h", "9s 4h 2:hit", "9s 4h 2:stand", "9s 4h 2:stand 4c"]
    )
    def test_every_wager_pushes(self, so_far: str) -> None:
        played = dealt(so_far, dealer_bust=200)
        commands = played.handle(Void("floor", "misdeal"))
        assert played.phase == "void"
        assert [(line.wager, line.outcome, line.paid) for line in played.settlements] == [
            ("main", "push", 0),
            ("dealer-bust", "push", 0),
        ]
        assert {line.reason for line in played.settlements} == {"the round is void: misdeal"}
        assert played.net == {2: 0}
        assert commands[-1] == Settled(played.settlements)
        assert (played.cards_due, played.keys) == (0, frozenset())

    def test_the_face_down_card_is_turned_once(self) -> None:
        assert Revealed(Card("4h")) in dealt("9s 4h").handle(Void("floor", "misdeal"))
        assert all(
            not isinstance(c, Revealed) for c in dealt("9s 4h 2:stand").handle(Void("floor", "misdeal"))
        )
        assert all(not isinstance(c, Revealed) for c in dealt("9s").handle(Void("floor", "misdeal")))

    def test_a_void_round_without_wagers_settles_nothing(self) -> None:
        played = opened()
        assert played.handle(Void("floor", "closing time")) == (Settled(()),)
        assert played.net == {}

    def test_unknown_amounts_push_for_nothing(self) -> None:
        played = opened()
        bet(played, 1, None)
        played.handle(Void("floor", "misdeal"))
        assert played.net == {1: 0}

    def test_a_settled_round_may_be_void_until_somebody_is_paid(self) -> None:
        played = opened()
        bet(played, 1)
        bet(played, 2)
        run(played, "close 9s 9c 8h 1:stand 2:stand")
        played.handle(Void("floor", "misread card"))
        assert played.net == {1: 0, 2: 0}

    def test_not_once_a_seat_is_paid(self) -> None:
        played = opened()
        bet(played, 1)
        bet(played, 2)
        run(played, "close 9s 9c 8h 1:stand 2:stand 1:pay")
        assert refusal(played, Void("floor", "too late")) == "it is too late to void: Pay seat 2"

    def test_a_round_cannot_be_voided_twice(self) -> None:
        played = opened()
        played.handle(Void("floor", "closing time"))
        assert refusal(played, Void("floor", "again")) == "it is too late to void: The round is void"


class TestFaceDownCard:
    def test_is_hidden_until_it_is_turned(self) -> None:
        played = dealt("9s 4h")
        assert (played.dealer.cards, played.dealer.total, played.dealer.bust) == (("??",), None, False)
        assert played.hidden == 1
        run(played, "2:stand")
        assert (played.dealer.cards, played.dealer.total) == (("4h",), 4)
        assert played.hidden == 0

    def test_none_is_hidden_before_it_is_dealt(self) -> None:
        assert dealt("9s").hidden == 0

    def test_is_in_no_text_of_the_round(self) -> None:
        played = dealt("9s 4h")
        texts = repr(played) + repr(vars(played)) + repr(played.seats) + repr(played.due)
        assert "4h" not in texts
