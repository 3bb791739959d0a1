"""A slow disk raises an alert, by the journal's own figures, until it is fast again."""

from pathlib import Path

from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from controller.table.record.events import DeviceLost
from controller.table.upkeep.slow_disk import judge_writes
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import LoopTable, loop_table


def look(table: LoopTable, *seconds: float, disk: str = "journal") -> None:
    table.apply(*judge_writes(table.table.state, {disk: [*seconds]}))


def test_a_slow_disk_is_an_alert_that_ends(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        state = table.table.state
        look(table, 0.01, 0.9, 0.02)
        assert not state.standing, "one slow write may be chance"
        look(table, 0.01, 1.3, 1.2, 0.02, 1.1)
        (alarm,) = state.shift.alarms.open
        assert alarm.text == "The journal's disk takes 1.2 s a write"
        assert [*state.standing.values()] == [alarm.text]
        look(table, 0.4, 2.5)
        rows = table.kinds().count("noticed")
        look(table)
        assert table.kinds().count("noticed") == rows + 1, "a write to be judged by"
        assert [*state.standing.values()] == [alarm.text]
        assert (state.shift.alarms.open[0].count, state.shift.alarms.open[0].ended) == (1, None)
        look(table, 0.01, 0.02)
        assert not state.standing
        assert state.shift.alarms.open[0].ended == state.shift.at


def test_each_disk_has_its_own_latency_alert(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        look(table, 2.0, 2.0, disk="mirror")
        look(table, 0.01, 0.02, disk="journal")
        assert [*table.table.state.standing.values()] == ["The mirror's disk takes 2.0 s a write"]


def test_the_journal_tells_each_duration_once(tmp_path: Path) -> None:
    (tmp_path / "mirror").mkdir()
    with Journal(tmp_path / "j.db", tmp_path / "mirror" / "j.db") as journal:
        for number in range(3):
            journal.append([RowContent(float(number), "alert", "{}")])
        found = journal.durations()
        assert {disk: len(seconds) for disk, seconds in found.items()} == {"journal": 3, "mirror": 3}
        assert all(seconds > 0 for each in found.values() for seconds in each)
        assert journal.durations() == {"journal": [], "mirror": []}


def test_a_device_that_is_lost_meanwhile_counts_under_the_disk(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        table.apply(*list(script.opening())[1:])
        look(table, 2.0, 2.0)
        for device in ("shoe", "sensors"):
            table.apply(DeviceLost(device, "did not run for 3.1 s"))
        (alarm,) = table.table.state.shift.alarms.open
        assert (alarm.text, alarm.count) == ("The journal's disk takes 2.0 s a write", 3)
        assert {"Missing: the shoe", "Missing: the sensors"} <= {*table.table.state.suspension.reasons}
        look(table, 0.01)
        table.apply(DeviceLost("console", "unplugged"))
        assert [alarm.text for alarm in table.table.state.shift.alarms.open][-1] == "Missing: the console"
