"""The table in a terminal of 100 columns and 30 lines."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from controller.demo.terminal import render
from controller.table.view import TableView
from tests.controller.monitor.samples import DEALING, PLAYING, SETTLED, STATES, SUSPENDED, seat


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
def test_state_fits(state: str) -> None:
    lines = shown(STATES[state]).splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 100
    assert STATES[state].prompt in "\n".join(lines)


def test_cards_seats_wagers_devices_and_rounds() -> None:
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


def test_hidden_card_is_only_a_back() -> None:
    dealer = next(line for line in shown(DEALING).splitlines() if "Dealer" in line)
    assert dealer.strip("│ ") == "Dealer  ▒▒▒"


def test_suspension_is_named_and_results_are_signed() -> None:
    assert "The shoe is missing" in shown(SUSPENDED)
    assert "SUSPENDED" in shown(SUSPENDED)
    assert "+2,250" in shown(SETTLED)
    assert "−100" in shown(SETTLED)


def test_lamps_are_coloured_dots() -> None:
    assert "\x1b[94m● " in shown(PLAYING, colour=True)


def test_worst_table_fits() -> None:
    worst = replace(
        SUSPENDED,
        suspended=tuple(f"Device {number} is missing: its port was unplugged." for number in range(9)),
        seats=tuple(seat(number, {"main": 1_234_550}, *PLAYING.seats[4].hands) for number in range(1, 10)),
        rounds=SUSPENDED.rounds * 5,
    )
    lines = shown(worst).splitlines()
    assert len(lines) <= 30
    assert "and 4 more" in "\n".join(lines)


def test_texts_cannot_speak_to_the_terminal() -> None:
    evil = "\x1b[2J\x07[bold]x\r"
    devices = tuple(replace(device, detail=evil, name=evil) for device in PLAYING.devices)
    text = shown(replace(PLAYING, table=evil, prompt=evil, alerts=(evil,), display=(evil,), devices=devices))
    assert not {sign for sign in text if not sign.isprintable()} - {"\n"}
    assert "[bold]x" in text
