"""What the report of a gaming day costs, from the order to the finished page, JSON and sheets of a
process."""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from controller.monitor.past.report_queue import make_in_worker
from controller.monitor.past.worker import WorkerPool
from controller.past.reports.wire import ReportAnswer, ReportOrder
from tests.controller.past.reports.played_days import DAY, HOUSE, played_day

ROUNDS = 1000
GAME = "blackjack-x"
"""The game with the most side bets, and with a jackpot."""
RUNS = 3


@dataclass(frozen=True, slots=True)
class ReportCosts:
    """Medians in seconds: the report of a day, and the list of days. `kilobytes` is the size of a whole
    report."""

    rounds: int
    day: float
    listed: float
    kilobytes: float


def measure(rounds: int = ROUNDS) -> ReportCosts:
    """Plays rounds, then reports them."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        with played_day(Path(folder), GAME) as table:
            table.play_rounds(rounds)
        path = Path(folder) / "table.db"
        day = ReportOrder(path, HOUSE, HOUSE.calendar.named(DAY))
        sizes, seconds = zip(*(_timed(day) for _ in range(RUNS)), strict=True)
        _, list_times = zip(*(_timed(ReportOrder(path, HOUSE)) for _ in range(RUNS)), strict=True)
    return ReportCosts(rounds, median(seconds), median(list_times), sizes[0] / 1000)


def _timed(order: ReportOrder) -> tuple[int, float]:
    begun = perf_counter()
    found = asyncio.run(_made(order))
    assert not found.error, found.error
    return len(found.encode()), perf_counter() - begun


async def _made(order: ReportOrder) -> ReportAnswer:
    """By a process that has made no other report."""
    async with WorkerPool() as workers:
        return await make_in_worker(workers, order)
