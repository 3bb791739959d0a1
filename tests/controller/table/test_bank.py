"""Who banks the rounds of a player-dealer game: it rotates, blocks that seat's wagers, and is recorded."""

import pytest

from controller.games import GAMES
from controller.table.record.notes import Refusal, RoundEnded
from controller.table.record.rules import Bank
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from controller.table.view.build import build_view
from controller.table.view.console import keys
from drivers.protocol.codes import Lamp
from tests.fixtures.device_inputs import Script
from tests.fixtures.state_table import StateTable, lamp, of_kind


def table(bank: Bank = "rotating", game: str = "pure-21-5", seats: int = 3) -> StateTable:
    table = StateTable()
    table.script = Script(game, bank=bank, seats=seats)
    table.begin()
    return table


def play(table: StateTable) -> int | None:
    """A round of one seat that does not bank; returns who banked it."""
    seat = 1 if table.state.bank != 1 else 2
    notes = table.play(f"{seat}:main=500 close 9h 9c 9s Tc {seat}:stand pay {seat}:main=")
    (note,) = of_kind(RoundEnded, notes)
    assert isinstance(note, RoundEnded)
    return note.round.bank


@pytest.mark.parametrize("game", [name for name in GAMES if GAMES[name](None).player_banked])
def test_the_bank_goes_over_all_seats_and_then_the_third_party(game: str) -> None:
    state_table = table(game=game)
    prompts, banks = [], []
    for _ in range(5):
        prompts.append(state_table.prompt)
        banks.append(play(state_table))
    assert banks == [1, 2, 3, 0, 1]
    assert prompts[2:4] == ["Place your bets. Seat 3 banks", "Place your bets. The third party banks"]


def test_the_third_party_banks_by_default() -> None:
    state_table = table("third party")
    assert [play(state_table), play(state_table)] == [0, 0]
    assert state_table.prompt == "Place your bets. The third party banks"


def test_the_house_banks_in_other_games() -> None:
    table = StateTable("ez-bust")
    assert (table.prompt, build_view("T", table.state, ()).bank) == ("Place your bets", None)


def test_the_bank_stays_after_a_void_round() -> None:
    state_table = table()
    state_table.play("2:main=500 close 9h")
    state_table.apply_choice("void")
    assert state_table.state.round.bank == 1


def test_wagers_on_the_banking_seat_keep_betting_open() -> None:
    state_table = table()
    state_table.play("2:main=500 1:main=500 1:buster=100")
    assert state_table.prompt == "Seat 1: main, buster on the seat that banks this round"
    assert keys(state_table.state) == frozenset()
    (refusal,) = of_kind(Refusal, state_table.play("close"))
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "betting does not close: Seat 1: main, buster on the seat that banks this round"
    state_table.play("1:main= 1:buster= close")
    assert state_table.state.round.phase == "dealing"


def test_spots_of_the_banking_seat_are_closed() -> None:
    state_table = table()
    assert [lamp(state_table.state, seat, spot) for seat in (1, 2) for spot in (0, 1, 2)] == [
        Lamp.NO_BETS,
        Lamp.NO_BETS,
        Lamp.OFF,
        Lamp.OPEN,
        Lamp.OPEN,
        Lamp.OFF,
    ]


def test_the_bank_is_in_the_view_and_in_the_snapshot() -> None:
    state_table = table()
    play(state_table)
    assert build_view("T", state_table.state, ()).bank == 2
    assert restore_snapshot(take_snapshot(state_table.state)).round.bank == 2


def test_a_rotating_bank_begins_after_the_next_round() -> None:
    state_table = table("third party")
    state_table.script.bank = "rotating"
    state_table.restart()
    assert [play(state_table), play(state_table)] == [0, 1]


def test_the_third_party_banks_when_the_banking_seat_is_removed() -> None:
    state_table = table(seats=3)
    play(state_table)
    play(state_table)
    state_table.script.seats = 2
    state_table.restart()
    assert [play(state_table), play(state_table)] == [0, 1]
