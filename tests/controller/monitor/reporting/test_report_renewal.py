"""When a report is made again: a closed period once a round is corrected, an open one with each round, and
once a minute is over."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import HTTPException
from prometheus_client import CollectorRegistry

from controller.monitor.context import Parts
from controller.monitor.live.changes import Changes
from controller.monitor.past.report_queue import Press
from controller.monitor.past.report_routes import FRESH_SECONDS, ReportDesk
from controller.past.reports.wire import Made, Order
from tests.fixtures.played_views import PLAYED
from tests.fixtures.web_server import Shown

DAY = "2026-11-19"
PAID = PLAYED["after a jackpot"]
assert PAID.rounds


class Printer:
    def __init__(self) -> None:
        self.printed = Counter[Order]()

    async def __call__(self, order: Order) -> Made:
        self.printed[order] += 1
        return Made(page="made")


class House:
    """A desk, its table, and the time."""

    def __init__(self) -> None:
        self.printer, self.shown, self.now = Printer(), Shown(PAID), 0.0
        parts = Parts(self.shown, CollectorRegistry(), Changes(), Path("t.db"))
        self.desk = ReportDesk(parts, Press(self.printer), lambda: self.now)
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
def asked() -> House:
    return House()


async def test_a_period_that_goes_on_is_made_again_with_each_round(asked: House) -> None:
    asked.now = asked.period.begins + 1
    assert [await asked.ask(), await asked.ask()] == [1, 1]
    asked.play()
    assert await asked.ask() == 2


async def test_a_period_that_goes_on_is_made_again_where_no_round_ends(asked: House) -> None:
    """A table that stands still has losses and suspensions to tell."""
    asked.now = asked.period.begins
    assert [await asked.ask(), await asked.ask()] == [1, 1]
    asked.now += FRESH_SECONDS
    assert [await asked.ask(), await asked.ask()] == [2, 2]


async def test_a_closed_period_is_made_again_once_a_round_is_corrected(asked: House) -> None:
    asked.now = asked.period.ends
    assert await asked.ask() == 1
    asked.play()
    assert await asked.ask() == 1
    asked.correct()
    assert [await asked.ask(), await asked.ask()] == [2, 2]
    asked.correct()
    assert await asked.ask() == 3


async def test_what_was_made_before_the_end_is_made_again_after_it(asked: House) -> None:
    asked.now = asked.period.ends - 1
    assert await asked.ask() == 1
    asked.now = asked.period.ends
    assert await asked.ask() == 2


@pytest.mark.parametrize(
    "written", ["", "0000-01-01", "9999-12-31", "2026-11-19T06:00 14:00", "..", "2026-W01"]
)
def test_no_such_period(asked: House, written: str) -> None:
    with pytest.raises(HTTPException) as caught:
        asked.desk.period(written)
    assert caught.value.status_code == 404
