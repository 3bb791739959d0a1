"""A report of remembered files says what one says that reads the rows of its period one by one."""

import os
from bisect import bisect
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from controller.journal.chain import JournalRow, RowContent
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.past.closed_file_memory import ClosedFileMemory, FileVersion, version_of
from controller.past.reports.fact_collector import FactCollector, PeriodRows
from controller.past.reports.making import make_answer, make_report
from controller.past.reports.report import Report, ReportRequest, build_report
from controller.past.reports.round_figures import RoundFigures
from controller.past.reports.row_reader import CorrectedFigures, FactRow, RowReader
from controller.past.reports.sources import ReportMemory
from controller.past.reports.wire import ReportOrder
from controller.table.record.codec import to_row
from controller.table.record.notes import ClockStepped
from tests.controller.past.reports.played_days import BEGINS, HOUSE, between, played_day
from tests.fixtures.journal_files import build, closed_files, overwrite, write
from tests.fixtures.random_nights import DAY, GAME, night

FILES = (5, 4, 6, 3)
"""Rounds of each file."""
RESTARTED, SET_BACK = 1, 2
"""The file in which the daemon starts again, and the one whose times are those of the day before."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parts = night(GAME, 3, FILES)
    start = next(row for row in parts[0] if row.kind == "started")
    opening = parts[RESTARTED][0]
    parts[RESTARTED] = [opening, replace(start, at=opening.at + 1), *parts[RESTARTED][1:]]
    parts[SET_BACK] = list(_set_back(parts[SET_BACK]))
    path = tmp_path_factory.mktemp("night") / "table.db"
    build(path, parts)
    return path


MEMORY = ReportMemory()


def _set_back(rows: list[RowContent]) -> Iterator[RowContent]:
    """The clock is set back after the opening row, and ahead at the end."""
    yield rows[0]
    yield to_row(rows[0].at - DAY, ClockStepped(-DAY))
    yield from (replace(row, at=row.at - DAY) for row in rows[1:])
    yield to_row(rows[-1].at, ClockStepped(DAY))


@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(data=st.data())
def test_a_report_of_remembered_files_says_what_its_rows_say(path: Path, data: st.DataObject) -> None:
    rows = list(History(path).rows())
    first, last = sorted(row.content.at for row in data.draw(st.tuples(*[st.sampled_from(rows)] * 2)))
    period = between(first + data.draw(st.sampled_from([-DAY, -1, 0])), last + 2)
    asked = ReportRequest(period, HOUSE)
    remembered = make_report(path, asked, MEMORY)
    assert remembered == make_report(path, asked)
    assert replace(remembered, anchor=None) == plain_report(rows, asked)
    order = ReportOrder(path, HOUSE, period)
    assert make_answer(order, MEMORY).encode() == make_answer(order).encode()


def plain_report(rows: list[JournalRow], asked: ReportRequest) -> Report:
    """Reads all rows of the period in each file, and those before them up to the last snapshot; then all
    corrections."""
    collector, period = FactCollector(asked.period), asked.period
    for file in files_of(rows):
        inside = [row.row for row in file if period.holds(row.content.at)]
        if inside:
            snapshots = [row.row for row in file if row.content.kind == "snapshot" and row.row <= inside[0]]
            begin = snapshots[-1] if snapshots else file[0].row
            read = [row for row in file if begin <= row.row <= inside[-1]]
            collector.read(PeriodRows(begin, inside[0], inside[-1], RowReader("of the night").read(read)))
    for row in figures(rows):
        if isinstance(row.record, CorrectedFigures) and row.row > collector.facts.first_row:
            collector.read_correction(row)
    latest = max(row.content.at for row in rows)
    return build_report(collector.finish(min(latest, period.ends)), asked)


def figures(rows: list[JournalRow]) -> list[FactRow]:
    """The ended and the corrected rounds."""
    read = (row for file in files_of(rows) for row in RowReader("of the night").read(file))
    return [row for row in read if isinstance(row.record, RoundFigures | CorrectedFigures)]


def files_of(rows: list[JournalRow]) -> list[list[JournalRow]]:
    begins = [row.row for row in rows if row.content.kind == "continued"]
    return [
        list(file) for _, file in groupby(rows, key=lambda row: sum(row.row >= begin for begin in begins))
    ]


def test_a_round_of_one_file_is_corrected_in_another(path: Path) -> None:
    """So the test above is about such rounds."""
    rows = list(History(path).rows())
    begins = [file[0].row for file in files_of(rows)]
    place = {
        row.record.number: bisect(begins, row.row)
        for row in figures(rows)
        if type(row.record) is RoundFigures
    }
    later = [
        row.record.number
        for row in figures(rows)
        if type(row.record) is CorrectedFigures and bisect(begins, row.row) > place[row.record.number]
    ]
    assert later


def played_files(folder: Path, files: int) -> tuple[Path, float]:
    """A journal of so many closed files with one round each, a day apart, and a live one; and when it
    ends."""
    with played_day(folder) as table:
        for _ in range(files):
            table.play_rounds(1)
            table.at += DAY
            table.roll()
        table.play_rounds(1)
    return folder / "table.db", table.at + 1


def versions(path: Path) -> list[FileVersion | None]:
    return [version_of(file) for file in History(path).files() if file.closed]


def test_a_remembered_file_is_not_read_again(tmp_path: Path) -> None:
    memory = ReportMemory()
    path, ends = played_files(tmp_path, 1)
    request = ReportRequest(between(BEGINS, ends), HOUSE)
    assert make_report(path, request, memory).rounds == 2
    (version,) = versions(path)
    memory.rows.add(version, ())
    assert make_report(path, request, memory).rounds == 1
    os.utime(closed_files(path)[0])
    assert make_report(path, request, memory).rounds == 2


def test_a_report_does_not_trust_a_file_whose_time_was_set_back(tmp_path: Path) -> None:
    memory = ReportMemory()
    path, ends = played_files(tmp_path, 1)
    request = ReportRequest(between(BEGINS, ends), HOUSE)
    make_report(path, request, memory)
    (file,) = closed_files(path)
    stamp = file.stat()
    overwrite(file, b'"outcome":"settled"', b'"outcome":"sextled"')
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    with pytest.raises(JournalError, match="is damaged: its SHA-256 is"):
        make_report(path, request, memory)


def test_a_closed_file_is_remembered_as_soon_as_another_one_names_its_hash(tmp_path: Path) -> None:
    memory = ReportMemory()
    path, ends = played_files(tmp_path, 1)
    request = ReportRequest(between(BEGINS, ends), HOUSE)
    content = path.read_bytes()
    write(path, [])
    assert make_report(path, request, memory).rounds == 1
    (version,) = versions(path)
    assert memory.rows.find(version) is None
    path.write_bytes(content)
    assert make_report(path, request, memory).rounds == 2
    assert memory.rows.find(version) is not None


def test_a_report_of_more_files_than_are_remembered_evicts_none(tmp_path: Path) -> None:
    memory = ReportMemory(rows=ClosedFileMemory(2))
    path, ends = played_files(tmp_path, 4)
    last = make_report(path, ReportRequest(between(ends - 2.5 * DAY, ends), HOUSE), memory)
    everything = make_report(path, ReportRequest(between(BEGINS, ends), HOUSE), memory)
    assert (last.rounds, everything.rounds) == (3, 5)
    found = [memory.rows.find(version) is not None for version in versions(path)]
    assert found == [False, False, True, True]


def test_a_report_does_not_evict_its_own_files_for_later_corrections(tmp_path: Path) -> None:
    memory = ReportMemory(rows=ClosedFileMemory(2))
    path, ends = played_files(tmp_path, 4)
    make_report(path, ReportRequest(between(BEGINS, ends - 2.5 * DAY), HOUSE), memory)
    found = [memory.rows.find(version) is not None for version in versions(path)]
    assert found == [True, True, False, False]


def test_a_row_that_makes_no_sense_raises_a_new_error_each_time() -> None:
    """One error that is raised again and again would keep all that it passed through in memory."""
    content = RowContent(1.0, "round", "[]")
    (row,) = RowReader("table.db").read([JournalRow(1, content, bytes(32))])
    errors = []
    for _ in range(2):
        with pytest.raises(JournalError, match=r"table\.db cannot be read: row 1 makes no sense") as caught:
            _ = row.readable
        errors.append(caught.value)
    assert errors[0] is not errors[1]
