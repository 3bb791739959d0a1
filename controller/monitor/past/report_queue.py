"""The queue of reports: one at a time, each order once, and the last reports are kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import HTTPException

from controller.monitor.past.messages import REPORT, WorkerQuestion
from controller.monitor.past.worker import Ask
from controller.past.reports.wire import ReportAnswer, ReportOrder, decode_answer

MOST_WAITING = 4
MOST_FINISHED = 8
"""Reports of about 150 kB each."""

MakeReport = Callable[[ReportOrder], Awaitable[ReportAnswer]]
Version = tuple[object, ...]
"""What a report depends on besides its order: for another version it is made again."""


class QueueFull(Exception):
    """Too many reports are waiting."""


@dataclass(frozen=True, slots=True)
class ReportWaiting:
    """The report is not there yet; `reports_before` are made before it."""

    reports_before: int


class ReportQueue:
    """Makes each report once, however many people wait for it."""

    def __init__(self, make_report: MakeReport) -> None:
        self._make_report = make_report
        self._slot = asyncio.Semaphore(1)
        self._tasks: dict[ReportOrder, asyncio.Task[ReportAnswer]] = {}
        self._finished: OrderedDict[ReportOrder, tuple[Version, ReportAnswer]] = OrderedDict()

    def ask(self, order: ReportOrder, version: Version) -> None:
        """Somebody opens the report: forget it if it failed, or was made for another version."""
        known = self._finished.get(order)
        if known is not None and (known[0] != version or known[1].error):
            del self._finished[order]

    def look(self, order: ReportOrder, version: Version) -> ReportAnswer | ReportWaiting:
        """The report if it is there; else it is begun. A report that was made since `ask` is taken even if
        its version has changed meanwhile: rounds may end faster than reports are made. Raises QueueFull."""
        known = self._finished.get(order)
        if known is not None:
            return known[1]
        self._begin(order, version)
        return ReportWaiting(list(self._tasks).index(order))

    async def wait(self, order: ReportOrder, version: Version) -> ReportAnswer:
        """The report, as soon as it is there. Raises QueueFull."""
        self.ask(order, version)
        found = self.look(order, version)
        if isinstance(found, ReportAnswer):
            return found
        return await asyncio.shield(self._tasks[order])

    def _begin(self, order: ReportOrder, version: Version) -> None:
        if order in self._tasks:
            return
        if len(self._tasks) > MOST_WAITING:
            raise QueueFull(f"{len(self._tasks)} reports are being made: ask again in a minute")
        self._tasks[order] = asyncio.create_task(self._make(order, version), name="report")

    async def _make(self, order: ReportOrder, version: Version) -> ReportAnswer:
        try:
            async with self._slot:
                found = await self._make_report(order)
        finally:
            del self._tasks[order]
        self._store(order, version, found)
        return found

    def _store(self, order: ReportOrder, version: Version, found: ReportAnswer) -> None:
        self._finished[order] = version, found
        self._finished.move_to_end(order)
        while len(self._finished) > MOST_FINISHED:
            self._finished.popitem(last=False)


async def make_in_worker(ask: Ask, order: ReportOrder) -> ReportAnswer:
    """A report by a worker process. If there is none, the answer says why."""
    question = WorkerQuestion(REPORT, str(order.journal), order.encode(), language=order.language)
    try:
        return decode_answer((await ask(question)).body)
    except HTTPException as refused:
        return ReportAnswer(error=refused.detail)
