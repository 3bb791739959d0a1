"""Compares what tables run and whether they are tested with the notices."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import structlog

from controller.floor.approvals.acts import NotActing
from controller.floor.floor_log import SharedJournal
from controller.floor.notices.desk import KIND
from controller.floor.notices.notice import Notice
from controller.floor.notices.register import NoticeRegister
from controller.floor.store_file import StoreError
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture
from controller.property.status import TableStatus

BEAT: Final = 1.0
"""Seconds between two looks."""
SOFTWARE: Final = "software"
"""The kind of the entry about the software that a table may run."""
OTHER: Final = "The table runs version {now}, and not {known}: no notice of an installation covers this time"
OTHER_FILES: Final = (
    "The table runs other files of version {now}: no notice of an installation covers this time"
)
TESTED: Final = "The table is being tested ({test}): no notice of a test covers this time"


class OwnJournal(SharedJournal, Protocol):
    """The floor's own journal."""

    @property
    def leads(self) -> bool:
        """Whether this instance acts now."""

    async def record(self, kind: str, body: Mapping[str, Any]) -> object:
        """Write an entry as the instance that acts. Raises NotActing."""


@dataclass(frozen=True, slots=True)
class TableSoftware:
    """What a table may run: the version, and the sum of its files."""

    version: str
    manifest: str


class NoticeWatch:
    """Each instance compares. The one that acts writes what a table ran first, or what came with a notice,
    into the floor's own journal, so that the other one knows it too. `clock`: seconds of Unix time."""

    def __init__(
        self, folder: Path, journal: OwnJournal, picture: FloorPicture, clock: Callable[[], float]
    ) -> None:
        self._folder, self._journal, self._picture, self._clock = folder, journal, picture, clock
        self._known: dict[str, TableSoftware] = {}
        self._read = 0
        self._log = structlog.get_logger("tableside.floor")

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                with NoticeRegister(self._folder) as register:
                    while True:
                        await self.beat(register)
                        await asyncio.sleep(BEAT)
            except StoreError as error:
                self._log.error("notices", why=str(error))
            await asyncio.sleep(BEAT)

    async def beat(self, register: NoticeRegister) -> None:
        """To be called once a second. Raises StoreError."""
        if not (self._journal.leads or self._journal.last):
            return  # what is in the journal is not known yet
        self._take(register)
        with suppress(NotActing):
            for notice in register.waiting():
                await self._journal.note(KIND, asdict(notice))
                register.confirm(notice)
            await self._look(register.recorded())

    async def _look(self, notices: tuple[Notice, ...]) -> None:
        now = self._clock()
        for table in tuple(self._picture.tiles):
            if status := self._picture.status(table):
                await self._look_at_software(table, status, notices, now)
                covered = any(notice.covers_test(table, now) for notice in notices)
                why = TESTED.format(test=status.test) if status.test and not covered else ""
                self._picture.report(FloorCause("notice", table, "test"), why, now)

    async def _look_at_software(
        self, table: str, status: TableStatus, notices: tuple[Notice, ...], now: float
    ) -> None:
        running, known = TableSoftware(status.software, status.manifest), self._known.get(table)
        if running != known:
            found = (one.id for one in notices if one.covers_software(table, running.version, now))
            notice = next(found, "")
            if notice or known is None:
                known = running
                if self._journal.leads:
                    body = {"table": table, "notice": notice, **asdict(running)}
                    await self._journal.record(SOFTWARE, body)
                    self._known[table] = running
        self._picture.report(FloorCause("notice", table, SOFTWARE), _difference(known, running), now)

    def _take(self, register: NoticeRegister) -> None:
        """What is new in the journal."""
        if self._journal.last <= self._read:
            return
        for entry in self._journal.entries(self._read):
            if entry.kind == KIND:
                register.confirm(Notice(**entry.body))
            elif entry.kind == SOFTWARE:
                body = entry.body
                self._known[body["table"]] = TableSoftware(body["version"], body["manifest"])
            self._read = entry.n


def _difference(known: TableSoftware, running: TableSoftware) -> str:
    """Why the software is not the one that the table may run; empty if it is."""
    if running == known:
        return ""
    text = OTHER_FILES if running.version == known.version else OTHER
    return text.format(now=running.version, known=known.version)
