"""The sessions of a period are those of the whole journal, although only a part of it is read."""

from functools import cache
from pathlib import Path

import pytest

from controller.calendar import Period
from controller.journal.history import History
from controller.past.export import seats_in_period
from controller.past.export.chapters import RoundRows, rounds_of_rows
from controller.past.export.seat_sessions import corrected_rounds, line_of, seat_sessions
from controller.past.export.seats_in_period import seats_of_period
from controller.past.export.span import ExportSpan, SpanEnd
from controller.table.record.views import RoundView
from tests.fixtures.random_nights import kept

BEGUN = 1_700_000_000.0
SPANS = (
    (0.0, 1e6),
    (0.0, 2000.0),
    (11_000.0, 12_000.0),
    (13_000.0, 18_000.0),
    (18_000.0, 1e6),
    (1e7, 2e7),
)
"""Seconds since the night begun: all of it, parts of it, and a time without rounds."""


@pytest.fixture(scope="module", params=[(28,), (4, 9, 15)], ids=["one file", "three"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seats") / "table.db"
    kept(path, files=request.param)
    return path


@cache
def rounds_and_corrections(path: Path) -> tuple[tuple[RoundRows, ...], dict[int, RoundView]]:
    """Those of the whole journal, which is read once for all tests."""
    history = History(path)
    return tuple(rounds_of_rows(history.rows())), corrected_rounds(history.rows())


@pytest.mark.parametrize("rows", [1, 40, 300, 25_000])
@pytest.mark.parametrize("absent", [1, 3, 6])
@pytest.mark.parametrize("span", SPANS)
def test_sessions_are_those_of_the_whole_journal(
    path: Path, span: tuple[float, float], absent: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many rows before the period are read at first."""
    monkeypatch.setattr(seats_in_period, "SEARCH_ROWS", rows)
    period = Period("some", "some", BEGUN + span[0], BEGUN + span[1])
    whole = list(
        seat_sessions(
            *rounds_and_corrections(path),
            ExportSpan(SpanEnd(at=period.begins), SpanEnd(at=period.ends)),
            absent,
        )
    )
    assert whole or span != SPANS[0]
    assert seats_of_period(path, period, absent).sessions == tuple(map(line_of, whole))
