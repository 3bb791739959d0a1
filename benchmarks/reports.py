"""A gaming day as a table writes it, and what its report costs: a process of its own, from the order to the
finished page, JSON and sheets."""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from controller.monitor.past.report_queue import printed
from controller.past.reports.wire import Order
from tests.controller.past.reports.played_days import DAY, HOUSE, crowd

ROUNDS = 1000
GAME = "blackjack-x"
"""The one with most side bets, and a jackpot."""
RUNS = 3


@dataclass(frozen=True, slots=True)
class Reported:
    """Seconds, medians: a day's report, and the list of days; `kilobytes` of all that a report is."""

    rounds: int
    day: float
    listed: float
    kilobytes: float


def measure(rounds: int = ROUNDS) -> Reported:
    """Play so many rounds, then report them."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        with crowd(Path(folder), GAME) as table:
            table.play_rounds(rounds)
        path = Path(folder) / "table.db"
        day = Order(path, HOUSE, HOUSE.calendar.named(DAY))
        made, seconds = zip(*(_timed(day) for _ in range(RUNS)), strict=True)
        _, listed = zip(*(_timed(Order(path, HOUSE)) for _ in range(RUNS)), strict=True)
    return Reported(rounds, median(seconds), median(listed), made[0] / 1000)


def _timed(order: Order) -> tuple[int, float]:
    begun = perf_counter()
    found = asyncio.run(printed(order))
    assert not found.error, found.error
    return len(found.packed()), perf_counter() - begun
