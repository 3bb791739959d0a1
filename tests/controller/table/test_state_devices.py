"""The table's state: faults, memories and repeats of devices, and rules that wait."""

import pytest

from controller.table.record.events import CommandRefused, DeviceLost, DeviceRunning, EventsMissing
from controller.table.record.notes import Alert, Cleared, Resumed, Suspended
from controller.table.state_machine import apply, begin, due_action, is_repeat
from controller.table.view.console import permit
from drivers.messages import (
    CardDrawn,
    Cover,
    Door,
    EventBody,
    Fault,
    Loaded,
    Permit,
    ShoeJam,
    Tamper,
    Wager,
)
from drivers.protocol.codes import Status
from tests.fixtures.device_inputs import Script
from tests.fixtures.state_table import Told, of


@pytest.mark.parametrize(
    ("device", "on", "off", "why"),
    [
        ("shoe", Cover(True), Cover(False), "The shoe's cover is open"),
        ("shoe", ShoeJam(True), ShoeJam(False), "A card is stuck in the shoe"),
        ("sensors", Door(2, True), Door(2, False), "Door 2 of the sensors is open"),
        ("console", Fault(7, True, "hot"), Fault(7, False, ""), "Fault 7 in the console: hot"),
    ],
)
def test_faults_that_pass(device: str, on: EventBody, off: EventBody, why: str) -> None:
    told = Told()
    told.deal()
    assert told.tell(told.script.event(device, on)) == [Suspended(why)]
    assert permit(told.state) == 0
    assert told.tell(told.script.event(device, off)) == [Resumed()]


@pytest.mark.parametrize(("what", "suspends"), [(1, False), (2, False), (3, True)])
def test_tampering(what: int, suspends: bool) -> None:
    told = Told()
    notes = told.tell(told.script.event("shoe", Tamper(what, 4)))
    assert of(Suspended if suspends else Alert, notes)
    assert bool(told.state.suspension) is suspends


@pytest.mark.parametrize("relation", ["new log", "served elsewhere"])
def test_another_memory_in_a_round_needs_a_person(relation: str) -> None:
    told = Told()
    told.deal()
    told.tell(DeviceLost("sensors", "x"), told.script.up("sensors", relation, b"\x05" * 8))
    told.tell(DeviceRunning("sensors"))
    assert told.prompt.startswith("Suspended: The memory of the sensors is another one")
    told.say("resume")
    assert told.prompt == "Seat 1 has 5: hit or stand"


def test_another_memory_of_the_shoe_between_rounds_needs_fresh_cards() -> None:
    told = Told()
    told.tell(DeviceLost("shoe", "x"), told.script.up("shoe", "new log", b"\x05" * 8), DeviceRunning("shoe"))
    assert told.prompt == "Load the shoe"


def test_history_is_never_play() -> None:
    told = Told()
    told.tell(told.script.bet(1))
    told.tell(told.script.event("console", told.script.key("close").body, history=True))
    assert told.state.round.phase == "betting"


def test_history_tells_how_things_lie_and_stand() -> None:
    told = Told()
    told.shoe(Cover(open=True))
    told.tell(told.script.bet(1), told.script.bet(2))
    told.tell(told.script.event("shoe", Cover(open=False), history=True))
    told.tell(told.script.event("sensors", Wager(1, 0, False, 0), history=True))
    told.tell(told.script.event("shoe", Wager(3, 0, True, 500), history=True))
    assert told.prompt == "Place your bets: 1 wager"
    told.tell(told.script.key("close"), told.script.event("sensors", Wager(2, 0, False, 0), history=True))
    assert told.state.alerts[-1] == "seat 2: a main wager vanished after betting closed"
    assert list(told.state.round.seats) == [2]


@pytest.mark.parametrize(("relation", "left"), [("new log", 0), ("served elsewhere", 2)])
def test_a_new_memory_of_the_sensors_tells_anew_what_lies_there(relation: str, left: int) -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.bet(2), DeviceLost("sensors", "x"))
    notes = told.tell(told.script.up("sensors", relation, b"\x05" * 8), DeviceRunning("sensors"))
    assert len(told.state.chips) == len(told.state.round.seats) == left
    assert told.prompt == ("Place your bets: 2 wagers" if left else "Place your bets")
    why = f"The memory of the sensors is another one than before: {relation}"
    assert of(Alert, notes) == [Alert(f"{why}. Compare the chips with the page")]


def test_history_tells_whether_the_shoe_is_full() -> None:
    script = Script()
    state = begin(script.started())
    for event in (
        script.started(),
        script.up("shoe", "new log"),
        script.event("shoe", Loaded(8), history=True),
    ):
        apply(state, event)
    full = not state.shoe_wanted
    apply(state, script.event("shoe", CardDrawn(1, "9h"), history=True))
    assert (full, state.shoe_wanted, state.ledger.out) == (True, True, 0)


def test_repeats_are_known_by_log_and_number() -> None:
    told = Told()
    bet = told.script.bet(1)
    assert not is_repeat(told.state, bet)
    told.tell(bet)
    assert is_repeat(told.state, bet)


def test_lost_events_need_a_person() -> None:
    told = Told()
    told.tell(EventsMissing("sensors", bytes([1] * 8), 1, 9))
    assert told.prompt.startswith("Suspended: Events 1 to 9 of the sensors are lost: compare")
    assert told.state.devices["sensors"].newest == 9


def test_critical_event_that_nobody_can_read() -> None:
    told = Told()
    event = told.script.event("shoe", b"\xff\x01")
    told.tell(event)
    assert told.state.suspension.reasons == ()  # not critical: only kept
    critical = told.script.event("shoe", b"\xff\x02", critical=True)
    told.tell(critical)
    assert told.prompt.startswith("Suspended: Unknown to this version")
    assert told.say("resume") == [Cleared("shoe"), Resumed()]


def test_refused_command_is_shown() -> None:
    told = Told()
    notes = told.tell(CommandRefused("shoe", Permit(99), Status.RANGE, "too far"))
    assert notes == [Alert("The shoe does not take Permit(up_to=99): RANGE too far")]


def test_new_rules_wait_for_the_round_to_end() -> None:
    told = Told()
    told.deal()
    told.script.options = {"burn_cards": 0, "natural": "6:5"}
    told.tell(told.script.started(), *(DeviceRunning(name) for name in told.script.devices))
    assert told.state.rules.options == {"burn_cards": 0}
    told.say("void")
    assert told.state.rules.options == {"burn_cards": 0, "natural": "6:5"}


def test_no_shuffler_no_action() -> None:
    assert due_action(Told().state) is None


@pytest.mark.parametrize("body", [CardDrawn(1, "5h"), Loaded(8), Wager(1, 0, True, 500)])
def test_no_device_speaks_for_another(body: EventBody) -> None:
    told = Told()
    assert of(Alert, told.tell(told.script.event("console", body)))
    assert told.prompt == "Place your bets"


def test_a_card_that_is_none_was_not_read() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"), told.script.card("Zz"))
    assert told.prompt == "Suspended: Card 1 could not be read"
