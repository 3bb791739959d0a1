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
from tests.fixtures.state_table import Told, lamp, of


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


def test_a_whole_round() -> None:
    told = Told()
    assert lamp(told.state, 1) == Lamp.OPEN
    assert lamps(told.state)[42:] == bytes(12)  # seats 8 and 9 are not there
    told.tell(told.script.bet(1), told.script.bet(2), told.script.bet(2, 1, 200))
    assert permit(told.state) == 0
    told.tell(told.script.key("close"))
    assert [lamp(told.state, 1), lamp(told.state, 1, 1), lamp(told.state, 3)] == [3, 2, 2]
    assert permit(told.state) == 3
    told.tell(*told.script.cards_out("5h 7d Tc"))
    assert (told.prompt, permit(told.state)) == ("Seat 1 has 5: hit or stand", 4)
    notes = told.tell(told.script.card("6s"), told.script.key("stand", 2), told.script.key("pay"))
    ended = of(RoundEnded, notes)[0]
    assert isinstance(ended, RoundEnded)
    assert {line.seat: line.outcome for line in ended.round.lines if line.wager == "main"} == {
        1: "win",
        2: "lose",
    }
    assert told.state.rounds[0] == ended.round
    assert (told.state.number, permit(told.state)) == (2, 0)


def test_win_lamps_at_settlement() -> None:
    told = Told()
    told.deal("5h 7d Tc")
    told.tell(told.script.card("6s"), told.script.key("stand", 2))
    assert (lamp(told.state, 1), lamp(told.state, 2)) == (Lamp.WIN, Lamp.NO_BETS)


def test_chips_that_lie_there_are_the_next_wagers() -> None:
    told = Told()
    told.deal("Ah 7d Tc")
    told.tell(told.script.key("stand", 2), told.script.key("pay"))
    assert told.prompt == "Place your bets: 2 wagers"
    told.tell(told.script.take(1))
    assert told.prompt == "Place your bets: 1 wager"


def test_a_round_that_is_void_leaves_what_it_did_not_burn() -> None:
    told = Told(burn_cards=2)
    told.tell(told.script.bet(1), told.script.key("close"), told.script.card("9h"))
    told.say("void")
    told.tell(told.script.key("close"))
    assert (told.state.round.phase, told.prompt) == ("burning", "Burn 1 card")


def test_burn_after_a_load_once() -> None:
    told = Told(burn_cards=2)
    told.tell(told.script.bet(1), told.script.key("close"))
    assert (told.prompt, permit(told.state)) == ("Burn 2 cards", 2)
    told.tell(*told.script.cards_out("2h 3h"), *told.script.cards_out("Ah Tc"), told.script.key("pay"))
    told.tell(told.script.key("close"))
    assert told.prompt == "Deal 2 cards"


def test_refused_key_is_noted_and_shown() -> None:
    told = Told()
    told.deal()
    notes = told.tell(told.script.key("pay"))
    assert [type(note) for note in notes] == [Refusal]
    assert told.state.alerts[-1].startswith("pay: ")


def test_wager_outside_its_window_alerts() -> None:
    told = Told()
    told.deal()
    assert of(Alert, told.tell(told.script.bet(4))) == [
        Alert("seat 4: a main wager appeared after betting closed")
    ]
    assert of(Alert, told.tell(told.script.take(1))) == [
        Alert("seat 1: a main wager vanished after betting closed")
    ]
    assert lamp(told.state, 1) == Lamp.LATCHED


@pytest.mark.parametrize(("seat", "spot"), [(8, 0), (1, 4)])
def test_wager_where_no_spot_is(seat: int, spot: int) -> None:
    told = Told()
    assert of(Alert, told.tell(told.script.event("sensors", Wager(seat, spot, True, 100))))


def test_sensor_fault_lights_its_lamp_until_it_is_gone() -> None:
    told = Told()
    told.tell(told.script.event("sensors", SensorFault(3, 1, True)))
    assert lamp(told.state, 3, 1) == Lamp.FAULT
    told.tell(told.script.event("sensors", SensorFault(3, 1, False)))
    assert lamp(told.state, 3, 1) == Lamp.OPEN


@pytest.mark.parametrize("device", ["shoe", "sensors", "console"])
def test_losing_any_device_suspends_and_its_return_resumes(device: str) -> None:
    told = Told()
    told.deal()
    notes = told.tell(DeviceLost(device, "unplugged"))
    assert notes == [Suspended(f"Missing: the {device}")]
    assert (told.prompt, permit(told.state)) == (f"Suspended: Missing: the {device}", 0)
    assert not keys(told.state)
    assert of(Refusal, told.tell(told.script.key("stand", 1)))
    assert told.tell(told.script.up(device), DeviceRunning(device)) == [Resumed()]
    assert (told.prompt, permit(told.state)) == ("Seat 1 has 5: hit or stand", 4)


def test_a_card_that_left_before_the_loss_is_taken() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"))
    told.tell(DeviceLost("console", "unplugged"), *told.script.cards_out("5h Tc"))
    told.tell(DeviceRunning("console"))
    assert told.prompt == "Seat 1 has 5: hit or stand"
