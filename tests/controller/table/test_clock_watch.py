"""The clock of the stamps: a clock that was set is noticed, and changes only the stamps."""

from pathlib import Path

from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from controller.table.devices import TableDevices
from controller.table.inbox import Clocks
from controller.table.loop import Table
from controller.table.record.codec import to_row
from controller.table.record.notes import ClockStepped
from controller.table.recovery import recover
from controller.table.upkeep.clock_watch import ClockWatch, step_notice
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import RecordingDevice


class Time:
    """Both clocks, set by a test."""

    def __init__(self) -> None:
        self.wall, self.steady = 1_000_000.0, 50.0

    def passes(self, seconds: float, drift: float = 0.0) -> None:
        self.wall += seconds + drift
        self.steady += seconds

    def piece(self) -> ClockWatch:
        return ClockWatch(lambda: self.wall, lambda: self.steady)


def test_steps_either_way_are_told_once() -> None:
    time = Time()
    piece = time.piece()
    time.passes(0.5, 3600)
    assert piece.step() == ClockStepped(3600.0)
    time.passes(0.5, -3600)
    assert piece.step() == ClockStepped(-3600.0)
    time.passes(0.5)
    assert piece.step() is None


def test_a_clock_that_is_led_slowly_does_not_step() -> None:
    time = Time()
    piece = time.piece()
    for _ in range(1000):
        time.passes(0.5, 0.00025)  # 500 ppm, as fast as an NTP client slews it
        assert piece.step() is None
    time.passes(0.5, 0.99)
    assert piece.step() is None


def test_a_clock_behind_the_last_stamp_is_reported() -> None:
    piece = Time().piece()
    assert piece.behind(1_086_400.0) == ClockStepped(-86400.0, asleep=True)
    assert piece.behind(1_000_000.5) is None
    assert piece.behind(999_000.0) is None


def test_each_clock_step_has_its_sentence() -> None:
    assert (
        step_notice(ClockStepped(3600.0), 0.0).text
        == "The clock was set 3,600 s ahead: look whether it is right"
    )
    assert step_notice(ClockStepped(-2.4), 0.0).text == "The clock was set 2 s back: look whether it is right"
    assert step_notice(ClockStepped(-86400.0, asleep=True), 0.0).text == (
        "The clock is 86,400 s behind the journal's last entry: set it"
    )


def opened(journal: Journal, time: Time) -> Table:
    """A started table with these clocks."""
    started = Script().started()
    devices = [RecordingDevice(name, []) for name in ("shoe", "sensors", "console")]
    table = Table(
        journal,
        recover(journal, started),
        TableDevices(*devices),
        Clocks(lambda: time.wall, lambda: time.steady),
    )
    table.begin(started)
    return table


def last(journal: Journal, number: int) -> list[RowContent]:
    return [entry.content for entry in journal.since(0)][-number:]


async def test_the_table_notes_a_step_and_plays_on(tmp_path: Path) -> None:
    time, step = Time(), ClockStepped(-7200.0)
    with Journal(tmp_path / "journal") as journal:
        table = opened(journal, time)
        time.passes(0.5, -7200)
        table.inbox.put(Script().up("shoe", "new log"))
        table._process_inbox()
        kept = last(journal, 4)
        assert kept[1:3] == [to_row(time.wall, step), to_row(time.wall, step_notice(step, time.wall))]
        assert kept[0].kind == "device up"
        assert tuple(table.state.alerts) == (step_notice(step, time.wall).text,)


def test_a_start_with_a_clock_behind_the_journal_is_reported(tmp_path: Path) -> None:
    time = Time()
    with Journal(tmp_path / "journal") as journal:
        opened(journal, time)
    time.wall -= 500_000
    with Journal(tmp_path / "journal") as journal:
        table = opened(journal, time)
        assert to_row(time.wall, ClockStepped(-500_000.0, asleep=True)) in last(journal, 20)
        assert "The clock is 500,000 s behind the journal's last entry: set it" in table.state.alerts
