"""A program that keeps the journal's log from being emptied is named in an alert until it has ended."""

from controller.journal.log_readers import LogReader
from controller.table.apply.conditions import apply_notice
from controller.table.record.causes import cause
from controller.table.upkeep.log_watch import LogWatch
from tests.fixtures.state_table import StateTable

BROWSER = LogReader(4711, "sqlitebrowser")
ABOUT = cause("reader", "journal")


def test_a_reader_is_named_when_two_checks_find_it_and_forgotten_when_it_has_ended() -> None:
    state, watch = StateTable("easy-jack").state, LogWatch()
    said = []
    for found in ([BROWSER], [BROWSER, LogReader(3)], [BROWSER], []):
        for noticed in watch.judge(state, {"journal": found}):
            apply_notice(state, noticed)
        said.append(state.standing.get(ABOUT, ""))
    text = "The log of the journal grows beyond 64 MB: process 4711 (sqlitebrowser) reads it without a pause"
    assert said == ["", f"{text}. End that program", f"{text}. End that program", ""]


def test_a_reader_that_is_gone_by_the_next_check_is_not_named() -> None:
    state, watch = StateTable("easy-jack").state, LogWatch()
    assert [*watch.judge(state, {"journal": [LogReader(3)]})] == []
    assert [*watch.judge(state, {"journal": [LogReader(4)]})] == []
    assert state.standing == {}
