"""When a table is closed, and what an update leaves in its journal."""

from pathlib import Path

from controller.journal.journal import Journal
from controller.table.record.codec import read_input, to_row
from controller.table.record.events import Action, ActionEnded, Input
from controller.table.record.notes import FirmwareUpdated
from controller.table.recovery import recover
from controller.table.state.table_state import TableState
from controller.table.state.update_hindrances import update_hindrances
from controller.table.state_machine import apply, begin, due_action
from drivers.messages import Cover, Fault, UpdateApply, UpdateBegin
from drivers.protocol.codes import Status
from tests.fixtures.device_inputs import DEVICES, Script

UPDATED = FirmwareUpdated(
    "shoe", "A. Smith", "B. Jones", "1.0.0", 7, "ab" * 32, "confirmed", "version 7 runs"
)
BEGIN = UpdateBegin(7, 400, bytes(range(32)), bytes(64))


def table(script: Script, *events: Input) -> TableState:
    state = begin(script.started())
    for event in (*script.opening(), *events):
        apply(state, event)
    return state


def test_a_table_between_two_rounds_is_closed() -> None:
    script = Script()
    assert update_hindrances(table(script, script.loaded()), "shoe") == ()


def test_a_table_with_missing_devices_is_closed() -> None:
    state = begin(Script().started())
    apply(state, Script().started())
    assert state.suspension
    assert update_hindrances(state, "shoe") == ()


def test_a_round_in_play_keeps_the_table_open() -> None:
    script = Script()
    state = table(script, script.loaded())
    for event in script.play(state, 1):
        apply(state, event)
        if state.underway:
            break
    assert "Round 1 is in play: play it to its end" in update_hindrances(state, "shoe")


def test_a_suspension_keeps_the_table_open() -> None:
    script = Script()
    state = table(
        script, script.event("shoe", Cover(open=True)), script.event("shoe", Fault(3, True, "motor"))
    )
    assert update_hindrances(state, "sensors") == ("The shoe's cover is open", "Fault 3 in the shoe: motor")
    assert update_hindrances(state, "shoe") == ("The shoe's cover is open",)
    unread = table(Script(), Script().event("shoe", b"later", critical=True))
    assert len(update_hindrances(unread, "shoe")) == 1


def test_updates_of_the_shuffler_are_no_part_of_its_cycle() -> None:
    script = Script(devices=DEVICES | {"shuffler": "SHUFFLER-1"})
    state = table(script)
    due = due_action(state)
    assert due is not None
    for device in ("shuffler", "shoe"):
        apply(state, Action(device, 5, BEGIN))
        assert state.devices[device].open_actions == [5]
        assert due_action(state) == due
        apply(state, ActionEnded(device, 5, Status.DONE, ""))
        assert state.devices[device].open_actions == []
    assert due_action(state) == due


def test_an_update_is_kept_and_the_journal_replays(tmp_path: Path) -> None:
    script = Script()
    inputs: list[Input] = [
        *script.opening(),
        Action("shoe", 3, BEGIN),
        ActionEnded("shoe", 3, Status.DONE, ""),
        Action("shoe", 4, UpdateApply()),
    ]
    with Journal(tmp_path / "journal") as journal:
        journal.append([to_row(0.0, event) for event in inputs])
        journal.append([to_row(0.0, UPDATED)])
        kept = list(journal.since(0))
        assert [read_input(entry.content) for entry in kept[:-1]] == inputs
        assert kept[-1].content.kind == "firmware"
        assert recover(journal, script.started()).devices["shoe"].open_actions == [4]
