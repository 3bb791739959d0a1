"""Where reports are ordered: one process at a time, a short queue, and what is finished is kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from controller.monitor.past.worker import answered
from controller.past.reports.wire import MODULE, Made, Order, made

LONGEST = 120.0
"""Seconds after which a report is given up."""
MOST_WAITING = 4
MOST_KEPT = 8
"""Reports, some 150 kB each."""
BROKEN = Made(error="the report was not made: the log says why")
LATE = Made(error=f"the report was not made within {LONGEST:.0f} s: ask for less")

Print = Callable[[Order], Awaitable[Made]]
Stamp = tuple[object, ...]
"""What a report depends on beside its order: with another stamp it is made again."""


class Busy(Exception):
    """Too many are waiting already."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """It is not there yet; so many are made before it."""

    before: int


class Press:
    """Makes what is ordered, each order once, however many wait for it."""

    def __init__(self, print_: Print | None = None) -> None:
        self._print = print_ or printed
        self._turn = asyncio.Semaphore(1)
        self._making: dict[Order, asyncio.Task[Made]] = {}
        self._kept: OrderedDict[Order, tuple[Stamp, Made]] = OrderedDict()

    def ask(self, order: Order, stamp: Stamp) -> None:
        """Somebody asks anew: what was made under another stamp, or failed, counts no more."""
        known = self._kept.get(order)
        if known is not None and (known[0] != stamp or known[1].error):
            del self._kept[order]

    def look(self, order: Order, stamp: Stamp) -> Made | Waiting:
        """What there is of it since somebody asked; it is begun if it must be. What was made meanwhile is
        taken whatever has happened since: rounds may end faster than reports are made. Raises Busy."""
        known = self._kept.get(order)
        if known is not None:
            return known[1]
        self._begin(order, stamp)
        return Waiting(list(self._making).index(order))

    async def wait(self, order: Order, stamp: Stamp) -> Made:
        """As soon as it is there. Raises Busy."""
        self.ask(order, stamp)
        found = self.look(order, stamp)
        if isinstance(found, Made):
            return found
        return await asyncio.shield(self._making[order])

    def _begin(self, order: Order, stamp: Stamp) -> None:
        if order in self._making:
            return
        if len(self._making) > MOST_WAITING:
            raise Busy(f"{len(self._making)} reports are being made: ask again in a minute")
        self._making[order] = asyncio.create_task(self._make(order, stamp), name="report")

    async def _make(self, order: Order, stamp: Stamp) -> Made:
        try:
            async with self._turn, asyncio.timeout(LONGEST):
                found = await self._print(order)
        except TimeoutError:
            found = LATE
        finally:
            del self._making[order]
        self._keep(order, stamp, found)
        return found

    def _keep(self, order: Order, stamp: Stamp, found: Made) -> None:
        self._kept[order] = stamp, found
        self._kept.move_to_end(order)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


async def printed(order: Order) -> Made:
    """By a process of its own, which ends with whoever waits for it."""
    try:
        return made(await answered(MODULE, order.packed()))
    except (ValueError, TypeError):
        structlog.get_logger("tableside.reports").error("no report")
        return BROKEN
