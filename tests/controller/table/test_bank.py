"""Who banks the rounds of a player-dealer game: it goes round, blocks that seat's wagers, and is recorded."""

import pytest

from controller.games import GAMES
from controller.table.record.notes import Refusal, RoundEnded
from controller.table.record.rules import Bank
from controller.table.state.snapshot import restore, take
from controller.table.view.build import view
from controller.table.view.console import keys
from drivers.protocol.codes import Lamp
from tests.fixtures.device_inputs import Script
from tests.fixtures.state_table import Told, lamp, of


def table(bank: Bank = "rotating", game: str = "pure-21-5", seats: int = 3) -> Told:
    told = Told()
    told.script = Script(game, bank=bank, seats=seats)
    told.begin()
    return told


def play(told: Told) -> int | None:
    """A round of one seat that does not bank; who banked it."""
    seat = 1 if told.state.bank != 1 else 2
    notes = told.play(f"{seat}:main=500 close 9h 9c 9s Tc {seat}:stand pay {seat}:main=")
    (note,) = of(RoundEnded, notes)
    assert isinstance(note, RoundEnded)
    return note.round.bank


@pytest.mark.parametrize("game", [name for name in GAMES if GAMES[name](None).player_banked])
def test_goes_over_all_seats_and_then_the_third_party(game: str) -> None:
    told = table(game=game)
    prompts, banks = [], []
    for _ in range(5):
        prompts.append(told.prompt)
        banks.append(play(told))
    assert banks == [1, 2, 3, 0, 1]
    assert prompts[2:4] == ["Place your bets. Seat 3 banks", "Place your bets. The third party banks"]


def test_is_always_the_third_party_by_default() -> None:
    told = table("third party")
    assert [play(told), play(told)] == [0, 0]
    assert told.prompt == "Place your bets. The third party banks"


def test_is_the_house_in_other_games() -> None:
    told = Told("ez-bust")
    assert (told.prompt, view("T", told.state, ()).bank) == ("Place your bets", None)


def test_stays_after_a_void_round() -> None:
    told = table()
    told.play("2:main=500 close 9h")
    told.say("void")
    assert told.state.round.bank == 1


def test_its_wagers_keep_betting_open() -> None:
    told = table()
    told.play("2:main=500 1:main=500 1:buster=100")
    assert told.prompt == "Seat 1: main, buster on the seat that banks this round"
    assert keys(told.state) == frozenset()
    (refusal,) = of(Refusal, told.play("close"))
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "betting does not close: Seat 1: main, buster on the seat that banks this round"
    told.play("1:main= 1:buster= close")
    assert told.state.round.phase == "dealing"


def test_its_spots_are_closed() -> None:
    told = table()
    assert [lamp(told.state, seat, spot) for seat in (1, 2) for spot in (0, 1, 2)] == [
        Lamp.NO_BETS, Lamp.NO_BETS, Lamp.OFF, Lamp.OPEN, Lamp.OPEN, Lamp.OFF,
    ]  # fmt: skip


def test_is_in_the_view_and_survives_a_snapshot() -> None:
    told = table()
    play(told)
    assert view("T", told.state, ()).bank == 2
    assert restore(take(told.state)).round.bank == 2


def test_begins_after_the_next_round_when_the_rules_change() -> None:
    told = table("third party")
    told.script.bank = "rotating"
    told.restart()
    assert [play(told), play(told)] == [0, 1]


def test_is_the_third_party_where_its_seat_is_gone() -> None:
    told = table(seats=3)
    play(told)
    play(told)
    told.script.seats = 2
    told.restart()
    assert [play(told), play(told)] == [0, 1]
