"""Chips at the wrong time: a person is alerted, and nothing becomes a wager by itself."""

import pytest

from controller.table.record.events import DeviceRunning
from controller.table.record.notes import Alert, Note
from drivers.messages import Wager
from tests.fixtures.state_table import StateTable, of_kind

EARLY = "seat 1: an ez-bust wager came before the deal: it is placed after it"
LEFT = "seat 1: ez-bust chips lay there before it opened: lift them and lay them down again for a wager"
OVER = "seat 1: more lies on main than is wagered"
BETS = "1:main=1000 2:main=1000"
LOW = "9h 9c 6d 8h 8c Qh"
"""17 each against a 6: the EZ Bust window opens."""
PAIR = "8h 9c 6d 8s 8c Qh"


def table(game: str = "ez-bust") -> StateTable:
    return StateTable(game)


def alerts(notes: list[Note]) -> list[str]:
    return [note.text for note in of_kind(Alert, notes) if isinstance(note, Alert)]


def wager(table: StateTable, seat: int = 1) -> int | None:
    return table.state.round.standing(seat, "ez-bust")


class TestBeforeTheWindow:
    def test_chips_are_no_wager_and_are_told_again_when_it_opens(self) -> None:
        state_table = table()
        assert alerts(state_table.play(f"{BETS} 1:ez-bust=500")) == [EARLY]
        assert alerts(state_table.play("close")) == []
        assert alerts(state_table.play(LOW)) == [LEFT]
        state_table.play("close 1:stand 2:stand 9s")
        assert [line.wager for line in state_table.state.round.settlements] == ["main", "main"]

    def test_they_are_one_once_they_are_lifted_and_laid_down_again(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} 1:ez-bust=500 close {LOW} 1:ez-bust=")
        assert wager(state_table) == 0
        assert alerts(state_table.play("1:ez-bust=500")) == []
        assert wager(state_table) == 500

    def test_a_sensor_that_repeats_itself_lays_nothing_down(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} 1:ez-bust=500 close {LOW} 1:ez-bust=500")
        assert wager(state_table) == 0

    def test_a_sensor_that_forgot_its_memory_lays_nothing_down(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} close {LOW}")
        state_table.apply(state_table.script.up("sensors", "new log"), DeviceRunning("sensors"))
        notes = state_table.apply(state_table.script.event("sensors", Wager(1, 1, True, 500), history=True))
        assert alerts(notes) == [LEFT]
        assert wager(state_table) == 0

    def test_what_is_laid_on_top_makes_a_wager_of_all_of_it(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} 1:ez-bust=500 close {LOW} 1:ez-bust=800")
        assert wager(state_table) == 800

    def test_chips_from_the_last_round_are_told_when_betting_closes(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} close {LOW} 1:ez-bust=500 close 1:stand 2:stand 9s")
        assert alerts(state_table.play("pay")) == []
        assert alerts(state_table.play("close")) == [EARLY]
        assert alerts(state_table.play(LOW)) == [LEFT]
        assert wager(state_table) == 0

    def test_chips_of_unknown_amount(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} close 9h 9c")
        notes = state_table.apply(state_table.script.event("sensors", Wager(1, 1, True, 0)))
        assert alerts(notes) == ["seat 1: an ez-bust wager appeared while it is not open for anybody"]
        assert alerts(state_table.play("6d 8h 8c Qh")) == [LEFT]
        assert wager(state_table) == 0

    def test_nothing_more_is_told_where_the_window_never_opens(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} 1:ez-bust=500 close")
        assert alerts(state_table.play("9h 9c 9d 8h 8c Qh")) == []
        assert state_table.state.alerts[-1] == EARLY


class TestAtASplit:
    def test_what_is_wagered_already_is_nothing_new(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} close {PAIR} 1:ez-bust=500")
        assert alerts(state_table.play("1:split")) == []
        state_table.play("1:ez-bust=800 Ts")
        assert [hand.wagers for hand in state_table.state.round.seats[1].hands] == [{}, {"ez-bust": 300}]

    def test_more_than_that_is_told_and_is_no_wager(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} close {PAIR} 1:ez-bust=500 close 1:ez-bust=900")
        assert alerts(state_table.play("1:split")) == [LEFT]
        assert wager(state_table) == 500
        state_table.play("1:ez-bust=500 1:ez-bust=900")
        assert wager(state_table) == 900


class TestBesideTheWager:
    @pytest.mark.parametrize(
        "steps", ["1:main=2000 1:double", "1:double 1:main=2000", "1:double=300 1:main=1300"]
    )
    def test_chips_for_a_double_come_before_or_after_the_key(self, steps: str) -> None:
        state_table = table()
        state_table.play(f"{BETS} close 5h 9c Td 6h 8c Qh")
        assert alerts(state_table.play(f"{steps} 9s")) == []

    @pytest.mark.parametrize("steps", ["1:main=2000 1:split", "1:split 1:main=2000"])
    def test_chips_for_a_split_too(self, steps: str) -> None:
        state_table = table()
        state_table.play(f"{BETS} close 8h 9c Td 8s 8c Qh")
        assert alerts(state_table.play(f"{steps} Ts 1:stand Ts 1:stand 2:stand")) == []

    def test_chips_that_nothing_was_doubled_for_are_told_when_the_seat_has_acted(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} close 5h 9c Td 6h 8c Qh")
        assert alerts(state_table.play("1:main=2000 4h")) == []
        assert alerts(state_table.play("1:stand")) == [OVER]

    def test_also_of_the_last_seat(self) -> None:
        state_table = table()
        state_table.play("1:main=1000 close 5h Td 6h Qh 1:main=2000 4h")
        assert alerts(state_table.play("1:stand")) == [OVER]
        assert state_table.state.round.phase == "paying"

    def test_more_than_a_double_is_told_at_once(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} close 5h 9c Td 6h 8c Qh")
        assert alerts(state_table.play("1:main=2500")) == [
            "seat 1: a main wager changed after betting closed"
        ]

    def test_chips_of_another_seat_are_told_at_once(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} close 5h 9c Td 6h 8c Qh")
        assert alerts(state_table.play("2:main=2000")) == [
            "seat 2: a main wager changed after betting closed"
        ]

    def test_a_hand_that_may_not_double_takes_none(self) -> None:
        state_table = table()
        state_table.play(f"{BETS} close 5h 9c Td 6h 8c Qh 2h")
        assert alerts(state_table.play("1:main=2000")) == [
            "seat 1: a main wager changed after betting closed"
        ]

    def test_of_a_hand_with_two_spots_lie_on_either(self) -> None:
        state_table = table("quick-pay")
        state_table.play("1:bet=500 1:surrender-or-play=500 close 5h 9c 6h Qh close")
        assert alerts(state_table.play("1:bet=1500 1:double 9s")) == []
