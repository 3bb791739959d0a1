"""A device that flaps is held off: play waits and says so, a person's word has it tried again."""

from pathlib import Path

from controller.table.record.codec import read_input, row
from controller.table.record.events import DeviceLost, DeviceRunning, Supervisor
from controller.table.record.notes import Cleared, Suspended
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import stage
from tests.fixtures.state_table import Told

WHY = "shoe on port /dev/x lost 5 sessions within 60 s: it is held off for 120 s"
HELD = DeviceLost("shoe", WHY, held=True)


def test_it_is_a_reason_that_a_person_acknowledges() -> None:
    told = Told()
    told.deal()
    notes = told.tell(HELD)
    assert notes == [Suspended("Missing: the shoe"), Suspended(WHY)]
    assert [alarm.text for alarm in told.state.shift.alarms.open][-1] == WHY
    assert told.state.suspension.reasons == ("Missing: the shoe", WHY)
    assert told.state.suspension.held == {"shoe"}


def test_it_passes_when_the_device_is_back() -> None:
    told = Told()
    told.deal()
    told.tell(HELD, told.script.up("shoe"))
    assert told.state.suspension.reasons == ("Missing: the shoe",)
    told.tell(DeviceRunning("shoe"))
    assert not told.state.suspension


def test_it_passes_when_the_device_is_missing_for_another_reason() -> None:
    told = Told()
    told.tell(HELD, DeviceLost("shoe", "no such port"))
    assert told.state.suspension.reasons == ("Missing: the shoe",)


def test_a_new_daemon_holds_nobody_off() -> None:
    told = Told()
    told.tell(HELD, told.script.started())
    assert told.state.suspension.held == frozenset()


def test_a_person_has_it_tried_again(tmp_path: Path) -> None:
    script = Script()
    with stage(tmp_path / "j", script.started()) as table:
        table.take(*list(script.opening())[1:], HELD)
        table.take(Supervisor("resume", "Ann", "loose plug", None))
        assert table.renewed == ["shoe"]


def test_a_word_clears_only_those_that_are_held() -> None:
    told = Told()
    told.tell(DeviceLost("console", "x"), HELD)
    assert told.say("resume") == [Cleared("shoe")]
    assert told.state.suspension.held == {"shoe"}, "until it is back"


def test_the_journal_keeps_it_and_older_ones_can_be_read() -> None:
    kept = row(1.0, HELD)
    assert read_input(kept) == HELD
    older = kept.body.replace(',"held":true', "")
    assert older != kept.body
    assert read_input(type(kept)(1.0, kept.kind, older)) == DeviceLost("shoe", WHY)
