"""Trouble of the computer never breaks a round, and is shown again after a restart."""

from collections.abc import Iterable

from controller.table.apply.conditions import PAGE, disk_level, notice_of_change
from controller.table.record.events import DiskSpace, Input, Noticed
from controller.table.record.notes import Alert, Resumed, Suspended
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply, begin
from controller.table.view.build import build_view
from controller.table.view.console import keys, prompt
from tests.fixtures.device_inputs import Script

LOW = DiskSpace("low", 812_345_678, "journal")
STOP = DiskSpace("stop", 150_000_000, "journal")
ENOUGH = DiskSpace("enough", 2_000_000_000, "journal")
FULL = "The journal's disk is full but for 150 MB: no round begins until there is room"
NEARLY = "The journal's disk is nearly full: 812 MB left. Make room"


def table(script: Script) -> TableState:
    state = begin(script.started())
    take_all(state, *script.opening(), script.loaded())
    return state


def take_all(state: TableState, *events: Input) -> None:
    go_on(state, events)


def go_on(state: TableState, events: Iterable[Input]) -> None:
    """Each callback runs when the one before it was taken."""
    for event in events:
        apply(state, event)


def alerts(state: TableState) -> tuple[str, ...]:
    return build_view("T", state, ()).alerts


def test_a_disk_that_is_nearly_full_is_told_until_there_is_room() -> None:
    script = Script()
    state = table(script)
    assert apply(state, LOW) == [Alert(NEARLY)]
    assert not state.suspension
    go_on(state, script.play(state, 1))
    assert state.number == 2
    assert alerts(state) == (NEARLY,)
    assert prompt(state)[0].endswith(f". {NEARLY}")
    assert apply(state, ENOUGH) == []
    assert alerts(state) == ()


def test_a_round_is_played_to_its_end_on_a_full_disk() -> None:
    script = Script()
    state = table(script)
    take_all(state, script.bet(1), script.key("close"))
    assert apply(state, STOP) == [Alert(FULL)]
    assert not state.suspension
    assert keys(state) == state.round.keys
    assert alerts(state) == (FULL,)
    assert disk_level(state, "journal") == "stop"
    go_on(state, script.play_on(state, 1))
    assert state.number == 2
    assert state.suspension.reasons == (FULL,)
    assert apply(state, LOW) == [Alert(NEARLY), Resumed()]
    assert disk_level(state, "journal") == "low"


def test_a_full_disk_between_rounds_stops_play_at_once() -> None:
    state = table(Script())
    assert apply(state, STOP) == [Suspended(FULL)]
    assert not keys(state)
    assert apply(state, ENOUGH) == [Resumed()]


def test_room_that_is_made_in_the_round_stops_nothing() -> None:
    script = Script()
    state = table(script)
    take_all(state, script.bet(1), script.key("close"), STOP, ENOUGH)
    go_on(state, script.play_on(state, 1))
    assert state.number == 2
    assert not state.suspension


def test_each_disk_has_its_own_level() -> None:
    state = table(Script())
    take_all(state, STOP, DiskSpace("low", 0, "mirror", files=7), DiskSpace("enough", 10**12, "journal"))
    assert (disk_level(state, "journal"), disk_level(state, "mirror")) == ("enough", "low")
    assert alerts(state) == (
        "The mirror's disk is nearly full: 0 MB and room for 7 more files left. Make room",
    )


def test_levels_are_in_the_snapshot() -> None:
    state = table(Script())
    take_all(state, LOW, DiskSpace("stop", 0, "mirror"))
    again = restore_snapshot(take_snapshot(state))
    assert (disk_level(again, "journal"), disk_level(again, "mirror")) == ("low", "stop")
    assert again.standing == {"disk journal": NEARLY}


def test_what_the_daemon_noticed_is_shown_until_the_round_is_over() -> None:
    script = Script()
    state = table(script)
    assert apply(state, Noticed("The clock was set")) == [Alert("The clock was set")]
    assert alerts(state) == ("The clock was set",)
    go_on(state, script.play(state, 1))
    assert alerts(state) == ()


def test_an_alert_about_something_stays_until_its_cause_is_gone() -> None:
    script = Script()
    state = table(script)
    assert notice_of_change(state, PAGE, "") is None
    gone = notice_of_change(state, PAGE, "No page")
    assert gone
    assert apply(state, gone) == [Alert("No page")]
    assert apply(state, gone) == []
    go_on(state, script.play(state, 1))
    assert alerts(state) == ("No page",)
    state = restore_snapshot(take_snapshot(state))
    assert notice_of_change(state, PAGE, "No page") is None
    back = notice_of_change(state, PAGE, "")
    assert back
    assert apply(state, back) == []
    assert alerts(state) == ()
