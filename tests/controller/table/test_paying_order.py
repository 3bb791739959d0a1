"""Where the dealer begins to pay: the prompt, the keys and the page follow, and a replay keeps it."""

import json
from pathlib import Path

from controller.monitor.console.guidance import seat_to_pay
from controller.monitor.console.keypad import keypad
from controller.round.state import PayFrom
from controller.table.record.codec import from_json, to_json
from controller.table.record.events import Started
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from controller.table.view.build import build_view
from controller.table.view.console import keys
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.played_journal import SEAL, PlayedTable, journal, replay
from tests.fixtures.state_table import StateTable

PLAYED = "1:main=500 2:main=500 3:main=500 5:main=500 close 4h 5h 6h 8h 7s 1:stand 2:stand 3:stand 5:stand"


def table(pay_from: PayFrom = "third-base") -> StateTable:
    table = StateTable()
    table.script.pay_from = pay_from
    table.begin()
    return table


def test_prompt_and_page_begin_at_third_base() -> None:
    state_table = table()
    state_table.play(PLAYED)
    view = build_view("T", state_table.state, ())
    assert state_table.prompt == "Pay seat 5, then seats 3-1"
    assert (view.prompt_seat, seat_to_pay(view)) == (5, 5)
    assert [key.seat for column in keypad(view).columns for key in column.keys if key.due] == [5]


def test_the_console_permits_the_same_keys_in_both_orders() -> None:
    tables = [table(base) for base in ("first-base", "third-base")]
    for each in tables:
        each.play(PLAYED)
    first, third = (each.state.round.key_presses for each in tables)
    assert [sorted(press.seats) for press in first] == [sorted(press.seats) for press in third]
    assert keys(tables[0].state) == keys(tables[1].state) == {"pay"}


def test_a_new_order_holds_from_the_next_round_on() -> None:
    state_table = table("first-base")
    state_table.play(PLAYED)
    state_table.script.pay_from = "third-base"
    state_table.restart()
    assert state_table.prompt == "Pay seat 1, then seats 2-3, 5"
    assert (
        "From the next round on the new configuration holds: pay_from third-base instead of first-base"
        in state_table.state.alerts
    )
    state_table.play("pay")
    state_table.clear()
    state_table.play(PLAYED)
    assert state_table.prompt == "Pay seat 5, then seats 3-1"


def test_the_order_is_in_the_snapshot() -> None:
    state = restore_snapshot(take_snapshot(table().state))
    assert state.rules.pay_from == "third-base"


def test_a_start_of_an_older_version_pays_from_first_base() -> None:
    written = json.loads(to_json(table().script.started()))
    assert from_json(Started, written).pay_from == "third-base"
    del written["pay_from"]
    assert from_json(Started, written).pay_from == "first-base"


def test_a_replay_names_the_seats_in_the_order_of_that_time(tmp_path: Path) -> None:
    script = Script(pay_from="third-base")
    with loop_table(journal(tmp_path), script.started(), key=SEAL) as loop:
        PlayedTable(loop, script).play(PLAYED)
    script.pay_from = "first-base"
    with loop_table(journal(tmp_path), script.started(), key=SEAL) as loop:
        at = PlayedTable.__new__(PlayedTable)
        at.script = script
        at.reconnect(loop)
        assert at.prompt == "Pay seat 5, then seats 3-1"
        at.play("3:pay pay")
        at.clear()
        at.play(f"{PLAYED} pay")
    first, second = (replay(tmp_path, number).stdout for number in "12")
    assert "Pay seat 5, then seats 3-1" in first
    assert "Pay seat 5, then seats 2-1" in first
    assert "Pay seat 1, then seats 2-3, 5" in second
