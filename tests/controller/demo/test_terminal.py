"""The table in a terminal of 100 columns and 30 lines."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from controller.demo.terminal import render
from controller.table.record.views import TableView
from tests.fixtures import table_views
from tests.fixtures.played_views import PLAYED
from tests.fixtures.table_views import DEALING, PLAYING, SETTLED, SUSPENDED, seat

STATES = {**table_views.STATES, **PLAYED}


def shown(view: TableView, *, colour: bool = False) -> str:
    console = Console(
        width=100,
        height=30,
        file=io.StringIO(),
        force_terminal=colour,
        color_system="standard" if colour else None,
    )
    with console.capture() as capture:
        console.print(render(view))
    return capture.get()


@pytest.mark.parametrize("state", STATES)
def test_every_table_state_fits_the_terminal(state: str) -> None:
    lines = shown(STATES[state]).splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 100
    text = " ".join(line.strip(" ┃") for line in lines)
    assert STATES[state].prompt in text


def test_the_terminal_shows_cards_seats_wagers_devices_and_rounds() -> None:
    text = shown(PLAYING)
    for expected in (
        "7♥",
        "A♠",
        "10♣",
        "▶ 2 to act",
        "1,500",
        "11 natural",
        "[hit]",
        "INSECURE",
        "shuffler",
        "41",
    ):
        assert expected in text


def test_the_terminal_shows_a_face_down_card_as_a_back() -> None:
    dealer = next(line for line in shown(DEALING).splitlines() if "Dealer" in line)
    assert dealer.strip("│ ") == "Dealer  ▒▒▒"


def test_suspension_is_named_and_results_are_signed() -> None:
    assert "The shoe is missing" in shown(SUSPENDED)
    assert "SUSPENDED" in shown(SUSPENDED)
    assert "+2,250" in shown(SETTLED)
    assert "−100" in shown(SETTLED)


def test_lamps_are_coloured_dots() -> None:
    assert "\x1b[94m● " in shown(PLAYING, colour=True)


def test_the_fullest_table_fits_the_terminal() -> None:
    worst = replace(
        SUSPENDED,
        suspended=tuple(f"Device {number} is missing: its port was unplugged." for number in range(9)),
        seats=tuple(seat(number, {"main": 1_234_550}, *PLAYING.seats[4].hands) for number in range(1, 10)),
        rounds=SUSPENDED.rounds * 5,
    )
    lines = shown(worst).splitlines()
    assert len(lines) <= 30
    assert "and 4 more" in "\n".join(lines)


def test_several_hands_have_a_line_each() -> None:
    text = shown(PLAYED["four hands"])
    for expected in ("20 ×2 8♥3♥9♠", "18 8♦10♠", "21 ×2 8♣3♣K♥", "▶15 8♠7♠"):
        assert expected in text


def test_the_terminal_shows_insurance_jackpot_and_bank() -> None:
    assert "insured 5" in shown(PLAYED["insurance"])
    assert "blazing-7s 9,000.41" in shown(PLAYED["jackpot"])
    assert "5  banks" in shown(replace(PLAYED["jackpot"], bank=5))


@pytest.mark.parametrize("name", PLAYED)
def test_a_round_in_trouble_fits(name: str) -> None:
    """Missing devices are visible, whatever else is shown."""
    view = replace(PLAYED[name], suspended=SUSPENDED.suspended, devices=SUSPENDED.devices)
    lines = shown(view).splitlines()
    assert len(lines) <= 30
    assert "backing off" in "\n".join(lines)


def test_texts_cannot_speak_to_the_terminal() -> None:
    evil = "\x1b[2J\x07[bold]x\r"
    devices = tuple(replace(device, detail=evil, name=evil) for device in PLAYING.devices)
    text = shown(replace(PLAYING, table=evil, prompt=evil, alerts=(evil,), display=(evil,), devices=devices))
    assert not {sign for sign in text if not sign.isprintable()} - {"\n"}
    assert "[bold]x" in text
