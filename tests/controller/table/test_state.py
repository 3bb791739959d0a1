"""The table's state, input by input: rounds, wagers, keys, lamps and missing devices."""

import pytest

from controller.table.record.events import DeviceLost, DeviceRunning
from controller.table.record.notes import Alert, Refusal, Resumed, RoundEnded, Suspended
from controller.table.state_machine import apply, begin
from controller.table.view.console import keys, permit, prompt
from controller.table.view.lamps import lamps
from drivers.messages import (
    SensorFault,
    Wager,
)
from drivers.protocol.codes import Lamp
from tests.fixtures.device_inputs import Script
from tests.fixtures.state_table import StateTable, lamp, of_kind


def test_a_new_table_misses_its_devices_and_then_its_cards() -> None:
    script = Script()
    state = begin(script.started())
    apply(state, script.started())
    assert state.suspension.reasons == ("Missing: the shoe", "Missing: the sensors", "Missing: the console")
    for event in list(script.opening())[1:]:
        apply(state, event)
    assert prompt(state) == ("Load the shoe", 0)
    assert keys(state) == frozenset()
    assert set(lamps(state)) == {Lamp.OFF, Lamp.NO_BETS}
    apply(state, script.loaded())
    assert prompt(state) == ("Place your bets", 0)


def test_a_whole_round_moves_lamps_permits_and_prompts() -> None:
    table = StateTable()
    assert lamp(table.state, 1) == Lamp.OPEN
    assert lamps(table.state)[42:] == bytes(12)  # seats 8 and 9 are not there
    table.apply(table.script.bet(1), table.script.bet(2), table.script.bet(2, 1, 200))
    assert permit(table.state) == 0
    table.apply(table.script.key("close"))
    assert [lamp(table.state, 1), lamp(table.state, 1, 1), lamp(table.state, 3)] == [3, 2, 2]
    assert permit(table.state) == 3
    table.apply(*table.script.cards_out("5h 7d Tc"))
    assert (table.prompt, permit(table.state)) == ("Seat 1 has 5: hit or stand", 4)
    notes = table.apply(table.script.card("6s"), table.script.key("stand", 2), table.script.key("pay"))
    ended = of_kind(RoundEnded, notes)[0]
    assert isinstance(ended, RoundEnded)
    assert {line.seat: line.outcome for line in ended.round.lines if line.wager == "main"} == {
        1: "win",
        2: "lose",
    }
    assert table.state.ended_views[0] == ended.round
    assert (table.state.number, permit(table.state)) == (2, 0)


def test_win_lamps_are_lit_at_settlement() -> None:
    table = StateTable()
    table.deal("5h 7d Tc")
    table.apply(table.script.card("6s"), table.script.key("stand", 2))
    assert (lamp(table.state, 1), lamp(table.state, 2)) == (Lamp.WIN, Lamp.NO_BETS)


def test_chips_that_lie_there_are_the_next_wagers() -> None:
    table = StateTable()
    table.deal("Ah 7d Tc")
    table.apply(table.script.key("stand", 2), table.script.key("pay"))
    assert table.prompt == "Place your bets: 2 wagers"
    table.apply(table.script.take(1))
    assert table.prompt == "Place your bets: 1 wager"


def test_a_round_that_is_void_leaves_what_it_did_not_burn() -> None:
    table = StateTable(burn_cards=2)
    table.apply(table.script.bet(1), table.script.key("close"), table.script.card("9h"))
    table.apply_choice("void")
    table.apply(table.script.key("close"))
    assert (table.state.round.phase, table.prompt) == ("burning", "Burn 1 card")


def test_cards_are_burned_once_after_a_load() -> None:
    table = StateTable(burn_cards=2)
    table.apply(table.script.bet(1), table.script.key("close"))
    assert (table.prompt, permit(table.state)) == ("Burn 2 cards", 2)
    table.apply(*table.script.cards_out("2h 3h"), *table.script.cards_out("Ah Tc"), table.script.key("pay"))
    table.apply(table.script.key("close"))
    assert table.prompt == "Deal 2 cards"


def test_refused_key_is_noted_and_shown() -> None:
    table = StateTable()
    table.deal()
    notes = table.apply(table.script.key("pay"))
    assert [type(note) for note in notes] == [Refusal]
    assert table.state.alerts[-1].startswith("pay: ")


def test_wager_outside_its_window_alerts() -> None:
    table = StateTable()
    table.deal()
    assert of_kind(Alert, table.apply(table.script.bet(4))) == [
        Alert("seat 4: a main wager appeared after betting closed")
    ]
    assert of_kind(Alert, table.apply(table.script.take(1))) == [
        Alert("seat 1: a main wager vanished after betting closed")
    ]
    assert lamp(table.state, 1) == Lamp.LATCHED


@pytest.mark.parametrize(("seat", "spot"), [(8, 0), (1, 4)])
def test_a_wager_where_no_spot_is_raises_an_alert(seat: int, spot: int) -> None:
    table = StateTable()
    assert of_kind(Alert, table.apply(table.script.event("sensors", Wager(seat, spot, True, 100))))


def test_sensor_fault_lights_its_lamp_until_it_is_gone() -> None:
    table = StateTable()
    table.apply(table.script.event("sensors", SensorFault(3, 1, True)))
    assert lamp(table.state, 3, 1) == Lamp.FAULT
    table.apply(table.script.event("sensors", SensorFault(3, 1, False)))
    assert lamp(table.state, 3, 1) == Lamp.OPEN


@pytest.mark.parametrize("device", ["shoe", "sensors", "console"])
def test_losing_any_device_suspends_and_its_return_resumes(device: str) -> None:
    table = StateTable()
    table.deal()
    notes = table.apply(DeviceLost(device, "unplugged"))
    assert notes == [Suspended(f"Missing: the {device}")]
    assert (table.prompt, permit(table.state)) == (f"Suspended: Missing: the {device}", 0)
    assert not keys(table.state)
    assert of_kind(Refusal, table.apply(table.script.key("stand", 1)))
    assert table.apply(table.script.up(device), DeviceRunning(device)) == [Resumed()]
    assert (table.prompt, permit(table.state)) == ("Seat 1 has 5: hit or stand", 4)


def test_a_card_that_left_before_the_loss_is_taken() -> None:
    table = StateTable()
    table.apply(table.script.bet(1), table.script.key("close"))
    table.apply(DeviceLost("console", "unplugged"), *table.script.cards_out("5h Tc"))
    table.apply(DeviceRunning("console"))
    assert table.prompt == "Seat 1 has 5: hit or stand"
