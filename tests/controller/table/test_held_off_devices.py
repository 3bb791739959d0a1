"""A flapping device is held off: play waits and says so, and a person has the device tried again."""

from pathlib import Path

from controller.table.record.codec import read_input, to_row
from controller.table.record.events import DeviceLost, DeviceRunning, Supervisor
from controller.table.record.notes import Cleared, Suspended
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.state_table import StateTable

WHY = "shoe on port /dev/x lost 5 sessions within 60 s: it is held off for 120 s"
HELD = DeviceLost("shoe", WHY, held=True)


def test_a_held_off_device_suspends_play_and_raises_an_alert() -> None:
    table = StateTable()
    table.deal()
    notes = table.apply(HELD)
    assert notes == [Suspended("Missing: the shoe"), Suspended(WHY)]
    assert [alarm.text for alarm in table.state.shift.alarms.open][-1] == WHY
    assert table.state.suspension.reasons == ("Missing: the shoe", WHY)
    assert table.state.suspension.held_devices == {"shoe"}


def test_a_hold_off_ends_when_the_device_is_back() -> None:
    table = StateTable()
    table.deal()
    table.apply(HELD, table.script.up("shoe"))
    assert table.state.suspension.reasons == ("Missing: the shoe",)
    table.apply(DeviceRunning("shoe"))
    assert not table.state.suspension


def test_a_hold_off_ends_when_the_device_is_missing_for_another_reason() -> None:
    table = StateTable()
    table.apply(HELD, DeviceLost("shoe", "no such port"))
    assert table.state.suspension.reasons == ("Missing: the shoe",)


def test_a_restart_holds_no_device_off() -> None:
    table = StateTable()
    table.apply(HELD, table.script.started())
    assert table.state.suspension.held_devices == frozenset()


def test_a_person_has_a_held_off_device_tried_again(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        table.apply(*list(script.opening())[1:], HELD)
        table.apply(Supervisor("resume", "Ann", "loose plug", None))
        assert table.renewed == ["shoe"]


def test_only_held_off_devices_are_cleared() -> None:
    table = StateTable()
    table.apply(DeviceLost("console", "x"), HELD)
    assert table.apply_choice("resume") == [Cleared("shoe")]
    assert table.state.suspension.held_devices == {"shoe"}, "until it is back"


def test_a_hold_off_is_in_the_journal_and_older_journals_are_read() -> None:
    kept = to_row(1.0, HELD)
    assert read_input(kept) == HELD
    older = kept.body.replace(',"held":true', "")
    assert older != kept.body
    assert read_input(type(kept)(1.0, kept.kind, older)) == DeviceLost("shoe", WHY)
