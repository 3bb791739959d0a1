"""Where reports are ordered: one process at a time, a short queue, and what is finished is kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from controller.monitor.past.worker import ask_worker
from controller.past.reports.wire import MODULE, ReportAnswer, ReportOrder, decode_answer

TIMEOUT_SECONDS = 120.0
"""Seconds after which a report is given up."""
MOST_WAITING = 4
MOST_FINISHED = 8
"""Reports, some 150 kB each."""
BROKEN = ReportAnswer(error="the report was not made: the log says why")
LATE = ReportAnswer(error=f"the report was not made within {TIMEOUT_SECONDS:.0f} s: ask for less")

MakeReport = Callable[[ReportOrder], Awaitable[ReportAnswer]]
Version = tuple[object, ...]
"""What a report depends on beside its order: with another stamp it is made again."""


class QueueFull(Exception):
    """Too many are waiting already."""


@dataclass(frozen=True, slots=True)
class ReportWaiting:
    """It is not there yet; so many are made before it."""

    reports_before: int


class ReportQueue:
    """Makes what is ordered, each order once, however many wait for it."""

    def __init__(self, print_: MakeReport | None = None) -> None:
        self._make_report = print_ or make_in_worker
        self._slot = asyncio.Semaphore(1)
        self._tasks: dict[ReportOrder, asyncio.Task[ReportAnswer]] = {}
        self._finished: OrderedDict[ReportOrder, tuple[Version, ReportAnswer]] = OrderedDict()

    def ask(self, order: ReportOrder, stamp: Version) -> None:
        """Somebody asks anew: what was made under another stamp, or failed, counts no more."""
        known = self._finished.get(order)
        if known is not None and (known[0] != stamp or known[1].error):
            del self._finished[order]

    def look(self, order: ReportOrder, stamp: Version) -> ReportAnswer | ReportWaiting:
        """What there is of it since somebody asked; it is begun if it must be. What was made meanwhile is
        taken whatever has happened since: rounds may end faster than reports are made. Raises Busy."""
        known = self._finished.get(order)
        if known is not None:
            return known[1]
        self._begin(order, stamp)
        return ReportWaiting(list(self._tasks).index(order))

    async def wait(self, order: ReportOrder, stamp: Version) -> ReportAnswer:
        """As soon as it is there. Raises Busy."""
        self.ask(order, stamp)
        found = self.look(order, stamp)
        if isinstance(found, ReportAnswer):
            return found
        return await asyncio.shield(self._tasks[order])

    def _begin(self, order: ReportOrder, stamp: Version) -> None:
        if order in self._tasks:
            return
        if len(self._tasks) > MOST_WAITING:
            raise QueueFull(f"{len(self._tasks)} reports are being made: ask again in a minute")
        self._tasks[order] = asyncio.create_task(self._make(order, stamp), name="report")

    async def _make(self, order: ReportOrder, stamp: Version) -> ReportAnswer:
        try:
            async with self._slot, asyncio.timeout(TIMEOUT_SECONDS):
                found = await self._make_report(order)
        except TimeoutError:
            found = LATE
        finally:
            del self._tasks[order]
        self._store(order, stamp, found)
        return found

    def _store(self, order: ReportOrder, stamp: Version, found: ReportAnswer) -> None:
        self._finished[order] = stamp, found
        self._finished.move_to_end(order)
        while len(self._finished) > MOST_FINISHED:
            self._finished.popitem(last=False)


async def make_in_worker(order: ReportOrder) -> ReportAnswer:
    """By a process of its own, which ends with whoever waits for it."""
    try:
        return decode_answer(await ask_worker(MODULE, order.encode()))
    except (ValueError, TypeError):
        structlog.get_logger("tableside.reports").error("no report")
        return BROKEN
