"""The table's state: faults, memories and repeated events of devices, and rules that wait."""

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
    Key,
    Loaded,
    Permit,
    ShoeJam,
    Tamper,
    Wager,
)
from drivers.protocol.codes import Status
from tests.fixtures.device_inputs import Script
from tests.fixtures.state_table import StateTable, of_kind


@pytest.mark.parametrize(
    ("device", "on", "off", "why"),
    [
        ("shoe", Cover(True), Cover(False), "The shoe's cover is open"),
        ("shoe", ShoeJam(True), ShoeJam(False), "A card is stuck in the shoe"),
        ("sensors", Door(2, True), Door(2, False), "Door 2 of the sensors is open"),
        ("console", Fault(7, True, "hot"), Fault(7, False, ""), "Fault 7 in the console: hot"),
    ],
)
def test_a_passing_fault_suspends_play_and_resumes_it(
    device: str, on: EventBody, off: EventBody, why: str
) -> None:
    table = StateTable()
    table.deal()
    assert table.apply(table.script.event(device, on)) == [Suspended(why)]
    assert permit(table.state) == 0
    assert table.apply(table.script.event(device, off)) == [Resumed()]


@pytest.mark.parametrize(
    ("device", "body", "fault"),
    [
        ("shoe", Fault(9, True, "hot"), "code 9: 1 to 8, or 100 to 999"),
        ("shoe", Loaded(11), "decks 11: 1 to 10"),
        ("sensors", Wager(10, 0, True, 500), "seat 10: 1 to 9"),
        ("sensors", Door(0, True), "which 0: 1 to 4, or 100 to 199"),
        ("console", Key("fold", 1, 0), "action 'fold': one of"),
    ],
)
def test_an_event_with_an_impossible_value_is_an_alert_and_nothing_else(
    device: str, body: EventBody, fault: str
) -> None:
    table = StateTable()
    (alert,) = table.apply(table.script.event(device, body))
    assert isinstance(alert, Alert)
    kind = type(body).__name__
    assert alert.text.startswith(f"The {device} reports {kind} with an impossible value: {fault}")
    assert not table.state.suspension
    assert table.state.chips == {}


@pytest.mark.parametrize(("what", "suspends"), [(1, False), (2, False), (3, True)])
def test_tampering_with_the_shoe_suspends_play_or_alerts(what: int, suspends: bool) -> None:
    table = StateTable()
    notes = table.apply(table.script.event("shoe", Tamper(what, 4)))
    assert of_kind(Suspended if suspends else Alert, notes)
    assert bool(table.state.suspension) is suspends


@pytest.mark.parametrize("relation", ["new log", "served elsewhere"])
def test_another_memory_in_a_round_needs_a_person(relation: str) -> None:
    table = StateTable()
    table.deal()
    table.apply(DeviceLost("sensors", "x"), table.script.up("sensors", relation, b"\x05" * 8))
    table.apply(DeviceRunning("sensors"))
    assert table.prompt.startswith("Suspended: The memory of the sensors is another one")
    table.apply_choice("resume")
    assert table.prompt == "Seat 1 has 5: hit or stand"


def test_another_memory_of_the_shoe_between_rounds_needs_fresh_cards() -> None:
    table = StateTable()
    table.apply(
        DeviceLost("shoe", "x"), table.script.up("shoe", "new log", b"\x05" * 8), DeviceRunning("shoe")
    )
    assert table.prompt == "Load the shoe"


def test_history_is_never_play() -> None:
    table = StateTable()
    table.apply(table.script.bet(1))
    table.apply(table.script.event("console", table.script.key("close").body, history=True))
    assert table.state.round.phase == "betting"


def test_history_tells_how_things_lie_and_stand() -> None:
    table = StateTable()
    table.shoe(Cover(open=True))
    table.apply(table.script.bet(1), table.script.bet(2))
    table.apply(table.script.event("shoe", Cover(open=False), history=True))
    table.apply(table.script.event("sensors", Wager(1, 0, False, 0), history=True))
    table.apply(table.script.event("shoe", Wager(3, 0, True, 500), history=True))
    assert table.prompt == "Place your bets: 1 wager"
    table.apply(table.script.key("close"), table.script.event("sensors", Wager(2, 0, False, 0), history=True))
    assert table.state.alerts[-1] == "seat 2: a main wager vanished after betting closed"
    assert list(table.state.round.seats) == [2]


@pytest.mark.parametrize(("relation", "left"), [("new log", 0), ("served elsewhere", 2)])
def test_a_new_memory_of_the_sensors_tells_anew_what_lies_there(relation: str, left: int) -> None:
    table = StateTable()
    table.apply(table.script.bet(1), table.script.bet(2), DeviceLost("sensors", "x"))
    notes = table.apply(table.script.up("sensors", relation, b"\x05" * 8), DeviceRunning("sensors"))
    assert len(table.state.chips) == len(table.state.round.seats) == left
    assert table.prompt == ("Place your bets: 2 wagers" if left else "Place your bets")
    why = f"The memory of the sensors is another one than before: {relation}"
    assert of_kind(Alert, notes) == [Alert(f"{why}. Compare the chips with the page")]


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


def test_repeats_are_recognised_by_log_and_number() -> None:
    table = StateTable()
    bet = table.script.bet(1)
    assert not is_repeat(table.state, bet)
    table.apply(bet)
    assert is_repeat(table.state, bet)


def test_lost_events_need_a_person() -> None:
    table = StateTable()
    table.apply(EventsMissing("sensors", bytes([1] * 8), 1, 9))
    assert table.prompt.startswith("Suspended: Events 1 to 9 of the sensors are lost: compare")
    assert table.state.devices["sensors"].newest == 9


def test_critical_event_that_nobody_can_read() -> None:
    table = StateTable()
    event = table.script.event("shoe", b"\xff\x01")
    table.apply(event)
    assert table.state.suspension.reasons == ()  # not critical: only kept
    critical = table.script.event("shoe", b"\xff\x02", critical=True)
    table.apply(critical)
    assert table.prompt.startswith("Suspended: Unknown to this version")
    assert table.apply_choice("resume") == [Cleared("shoe"), Resumed()]


def test_refused_command_is_shown() -> None:
    table = StateTable()
    notes = table.apply(CommandRefused("shoe", Permit(99), Status.RANGE, "too far"))
    assert notes == [Alert("The shoe does not take Permit(up_to=99): RANGE too far")]


def test_new_rules_wait_for_the_round_to_end() -> None:
    table = StateTable()
    table.deal()
    table.script.options = {"burn_cards": 0, "natural": "6:5"}
    table.apply(table.script.started(), *(DeviceRunning(name) for name in table.script.devices))
    assert table.state.rules.options == {"burn_cards": 0}
    table.apply_choice("void")
    assert table.state.rules.options == {"burn_cards": 0, "natural": "6:5"}


def test_a_table_without_a_shuffler_asks_for_no_action() -> None:
    assert due_action(StateTable().state) is None


@pytest.mark.parametrize("body", [CardDrawn(1, "5h"), Loaded(8), Wager(1, 0, True, 500)])
def test_no_device_speaks_for_another(body: EventBody) -> None:
    table = StateTable()
    assert of_kind(Alert, table.apply(table.script.event("console", body)))
    assert table.prompt == "Place your bets"


def test_a_value_that_is_not_a_card_counts_as_unread() -> None:
    table = StateTable()
    table.apply(table.script.bet(1), table.script.key("close"), table.script.card("Zz"))
    assert table.prompt == "Suspended: Card 1 could not be read"
