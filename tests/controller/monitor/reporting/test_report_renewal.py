"""When a report is made again: a closed period once a round is corrected, an open one with each round and
once a minute has passed."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import HTTPException

from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.past.report_queue import ReportQueue
from controller.monitor.past.report_routes import FRESH_SECONDS, ReportDesk
from controller.past.reports.wire import ReportAnswer, ReportOrder
from tests.fixtures.core_socket import no_core
from tests.fixtures.played_views import PLAYED
from tests.fixtures.web_server import ViewSource

DAY = "2026-11-19"
PAID = PLAYED["after a jackpot"]
assert PAID.rounds


class Printer:
    def __init__(self) -> None:
        self.printed = Counter[ReportOrder]()

    async def __call__(self, order: ReportOrder) -> ReportAnswer:
        self.printed[order] += 1
        return ReportAnswer(page="made")


class ReportTable:
    """A report desk, its table, and the time."""

    def __init__(self) -> None:
        self.printer, self.shown, self.now = Printer(), ViewSource(PAID), 0.0
        parts = WebContext(no_core(), self.shown, ChangeNotifier(), Path("t.db"))
        self.desk = ReportDesk(parts, ReportQueue(self.printer), lambda: self.now)
        self.period = self.desk.period(DAY)

    async def ask(self) -> int:
        """How often it was made by then."""
        await self.desk.wait(self.period)
        return self.printer.printed.total()

    def play(self) -> None:
        self.shown.view = replace(self.shown.view, round=self.shown.view.round + 1)

    def correct(self) -> None:
        first, *rest = self.shown.view.rounds
        again = replace(first, corrections=(*first.corrections, "a card was another one"))
        self.shown.view = replace(self.shown.view, rounds=(again, *rest))


@pytest.fixture
def asked() -> ReportTable:
    return ReportTable()


async def test_a_period_that_goes_on_is_made_again_with_each_round(asked: ReportTable) -> None:
    asked.now = asked.period.begins + 1
    assert [await asked.ask(), await asked.ask()] == [1, 1]
    asked.play()
    assert await asked.ask() == 2


async def test_a_period_that_goes_on_is_made_again_where_no_round_ends(asked: ReportTable) -> None:
    """A suspended table has losses and suspensions to report."""
    asked.now = asked.period.begins
    assert [await asked.ask(), await asked.ask()] == [1, 1]
    asked.now += FRESH_SECONDS
    assert [await asked.ask(), await asked.ask()] == [2, 2]


async def test_a_closed_period_is_made_again_once_a_round_is_corrected(asked: ReportTable) -> None:
    asked.now = asked.period.ends
    assert await asked.ask() == 1
    asked.play()
    assert await asked.ask() == 1
    asked.correct()
    assert [await asked.ask(), await asked.ask()] == [2, 2]
    asked.correct()
    assert await asked.ask() == 3


async def test_what_was_made_before_the_end_is_made_again_after_it(asked: ReportTable) -> None:
    asked.now = asked.period.ends - 1
    assert await asked.ask() == 1
    asked.now = asked.period.ends
    assert await asked.ask() == 2


@pytest.mark.parametrize(
    "written", ["", "0000-01-01", "9999-12-31", "2026-11-19T06:00 14:00", "..", "2026-W01"]
)
def test_an_unknown_period_is_not_found(asked: ReportTable, written: str) -> None:
    with pytest.raises(HTTPException) as caught:
        asked.desk.period(written)
    assert caught.value.status_code == 404
