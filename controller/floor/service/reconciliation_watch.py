"""Compares the meters and claims of the linked progressives with the rows of the tables: at the start, every
hour, and at the end of each gaming day."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

import nats.errors
import structlog
from nats.js import JetStreamContext

from controller.calendar import Calendar
from controller.floor.reconciliation.comparison import stored_reconciliation
from controller.floor.reconciliation.ledger import HOUR, Ledger
from controller.floor.reconciliation.log_reader import ProgressiveLogReader
from controller.floor.store import FloorArchive
from controller.floor.store_file import StoreError
from controller.floor.tables.alerts import FloorCause
from controller.jackpot.linked.entries import LogFault
from controller.jackpot.linked.wire import MalformedMessage
from controller.process.tasks import run_parts

DAYS_BACK: Final = 3
"""Gaming days before the present one that are compared again: rows of a table that was apart come late."""
CONFIRM: Final = 60.0
"""Seconds after which a difference must be the same to be reported: a row and the message about it come one
after the other."""
DAY: Final = 86400.0
LOOK: Final = 10.0
"""Seconds between two looks at the clock."""
PAUSE: Final = 5.0
"""Seconds after an error."""
FAULT: Final = FloorCause("reconciliation", which="fault")
"""Why nothing can be compared."""
Difference = tuple[FloorCause, tuple[object, ...]]
"""About which table and level, and what differs how."""


async def wait_a_minute() -> None:
    await asyncio.sleep(CONFIRM)


class ReconciliationWatch:
    """`subject`: of the logs of all levels; `folder`: of the store and the ledger;
    `retention`: days for which both are kept; `report` gets each cause
    with a sentence, which is empty when it is over; `clock`: seconds of Unix time; `confirm` waits as long as
    a difference must last; `every`: as LOOK."""

    def __init__(
        self,
        stream: JetStreamContext,
        subject: str,
        levels: tuple[str, ...],
        folder: Path,
        calendar: Calendar,
        retention: int,
        report: Callable[[FloorCause, str], None],
        clock: Callable[[], float],
        confirm: Callable[[], Awaitable[None]] = wait_a_minute,
        every: float = LOOK,
    ) -> None:
        self._stream, self._subject, self._levels = stream, subject, levels
        self._folder, self._calendar, self._retention = folder, calendar, retention
        self._report, self._clock, self.confirm = report, clock, confirm
        self._every = every
        self.compared: float | None = None
        """The begin of the last hour at whose begin, or later, everything was compared."""
        self._reported = frozenset[FloorCause]()
        self._log = structlog.get_logger("tableside.floor")

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                with Ledger(self._folder, self._calendar) as ledger:
                    await run_parts([self._read(ledger), self._compare(ledger)])
            except (StoreError, sqlite3.Error, OSError) as error:
                self._fail(str(error))
            await asyncio.sleep(PAUSE)

    async def look(self) -> None:
        """Compare now, and report what differs. Raises StoreError, sqlite3.Error, OSError."""
        found = await asyncio.to_thread(self.differences)
        if found:
            await self.confirm()
            again = await asyncio.to_thread(self.differences)
            found = {key: each for key, each in again.items() if key in found}
        texts = dict[FloorCause, list[str]]()
        for (cause, _key), text in found.items():
            texts.setdefault(cause, []).append(text)
        for cause in self._reported - texts.keys():
            self._report(cause, "")
        for cause, sentences in texts.items():
            further = f"; {len(sentences) - 1} more in the report" if len(sentences) > 1 else ""
            self._report(cause, f"{sentences[0]}{further}")
        self._reported = frozenset(texts)

    def differences(self) -> dict[Difference, str]:
        """A sentence about each that can be compared now. Raises StoreError, sqlite3.Error, OSError."""
        today, archive = self._calendar.day_of(self._clock()), FloorArchive(self._folder)
        found = dict[Difference, str]()
        for back in range(DAYS_BACK + 1):
            day = self._calendar.day(today - timedelta(back))
            for one in stored_reconciliation(archive, self._folder, day).differences:
                cause = FloorCause("reconciliation", one.table, one.level)
                found[cause, (day.key, *one.identity)] = f"{day.title.capitalize()}: {one.text}"
        return found

    async def _read(self, ledger: Ledger) -> None:
        """Follow the logs. What the ledger lacks waits, and is not a difference."""
        reader = ProgressiveLogReader(
            self._stream, self._subject, self._levels, ledger, lambda: self._report(FAULT, "")
        )
        while True:
            try:
                await reader.run()
            except (LogFault, MalformedMessage) as error:
                self._fail(str(error))
            except (nats.errors.Error, TimeoutError) as error:
                self._log.warning("linked progressives", why=str(error) or type(error).__name__)
            await asyncio.sleep(PAUSE)

    async def _compare(self, ledger: Ledger) -> None:
        while True:
            hour = self._hour()
            if hour != self.compared:
                ledger.retire(hour - self._retention * DAY)
                await self.look()
                self.compared = hour
            await asyncio.sleep(self._every)

    def _hour(self) -> float:
        """When the hour of the gaming day began."""
        now = self._clock()
        begins = self._calendar.day(self._calendar.day_of(now)).begins
        return begins + HOUR * ((now - begins) // HOUR)

    def _fail(self, why: str) -> None:
        self._log.error("reconciliation", why=why)
        self._report(FAULT, f"The linked progressives cannot be compared with the tables: {why}")
