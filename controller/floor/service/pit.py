"""The picture of the tables and the pages that show it, as parts of the floor's service."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client

from controller.config.web import WebSection
from controller.floor.approvals.acts import FloorActs
from controller.floor.approvals.reports import ActReports
from controller.floor.day_file import FloorHead, JournalName
from controller.floor.projector import Admission
from controller.floor.register import Decision, FloorRegister
from controller.floor.service.directories import Directories
from controller.floor.service.jackpot_watch import ANY, JackpotWatch
from controller.floor.service.notice_watch import NoticeWatch
from controller.floor.service.reconciliation_watch import ReconciliationWatch
from controller.floor.service.stream_watch import StreamWatch
from controller.floor.settings import FloorConfig
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.jackpots import LinkedJackpots
from controller.floor.tables.picture import FloorPicture
from controller.floor.tables.store_watch import StoreWatch
from controller.floor.tables.subscriber import StatusSubscriber
from controller.floor.tables.timing import keep_time
from controller.journal.signing import Signer
from controller.process.memory_tuning import loading
from controller.process.tasks import run_parts
from controller.property.subjects import PropertySubjects

PAUSE: Final = 5.0
"""Seconds after an error of the servers."""


class Pit:
    """What a pit sees: the tables now, on pages if the configuration has a section `web`."""

    def __init__(
        self, config: FloorConfig, client: Client, signer: Signer, clock: Callable[[], float]
    ) -> None:
        self._config, self._clock = config, clock
        self._log = structlog.get_logger("tableside.floor")
        self.picture = FloorPicture(config.pits, clock())
        self._watch = StoreWatch(self.picture, clock)
        self._keys: dict[str, set[bytes]] = {}
        self._decisions: list[Decision] = []
        self._decisions_version: tuple[int, int] | None = None
        subjects = PropertySubjects(config.property)
        page = config.web.address if config.web else ""
        self.acts = FloorActs(client, subjects, signer, Path(config.stores), clock, page)
        self.picture.jackpots = LinkedJackpots(config.levels, clock())
        keys = tuple(map(bytes.fromhex, config.progressive_keys))
        self._jackpots = JackpotWatch(client, subjects, self.picture, keys, clock)
        self._reports = ActReports(self.picture, self.acts, clock)
        self._directories = Directories(config, client, signer, self.acts, self.picture, clock)
        self._subscriber = StatusSubscriber(client, subjects, self.picture, self._pinned, clock)
        self._notices = NoticeWatch(Path(config.stores), self.acts, self.picture, clock)
        self._reconciliation = ReconciliationWatch(
            client.jetstream(),
            subjects.progressive_log(ANY),
            config.levels,
            Path(config.stores),
            config.calendar(),
            config.retention,
            self._report,
            clock,
        )
        self._streams = StreamWatch(client.jetstream(), config.deployment().streams(), self._report)

    def look(
        self,
        register: FloorRegister,
        admissions: Mapping[JournalName, Admission],
        heads: Mapping[JournalName, FloorHead],
    ) -> None:
        """To be called once a second: what is admitted and stored."""
        keys: dict[str, set[bytes]] = {}
        for name, admission in admissions.items():
            signs_now = heads.get(name, admission)  # a table may have changed its key since
            keys.setdefault(name.table, set()).add(signs_now.public)
        self._keys = keys
        self._jackpots.look()
        self._follow_decisions(register)
        self._watch.look(self._decisions, heads, register.incidents())

    async def run(self) -> None:
        """Until cancelled. No error of the pages ends the service, which stores what tables send."""
        parts = [
            self._subscribe(),
            keep_time(self.picture, self._clock),
            self.acts.run(),
            self._reports.run(),
            self._watch_streams(),
            self._directories.run(),
            self._notices.run(),
        ]
        if self._config.levels:
            parts += [self._jackpots.run(), self._reconciliation.run()]
        if self._config.web:
            parts.append(self._serve(self._config.web))
        await run_parts(parts)

    def _follow_decisions(self, register: FloorRegister) -> None:
        """To read the decisions about a thousand tables takes 50 ms."""
        version = register.version
        if version != self._decisions_version:
            self._decisions_version, self._decisions = version, register.decisions(logged=True)
            self._directories.tables = register.sealing_keys(logged=True)

    def _pinned(self, table: str) -> Collection[bytes]:
        return self._keys.get(table, ())

    async def _subscribe(self) -> None:
        while True:
            try:
                await self._subscriber.run()
            except (nats.errors.Error, TimeoutError) as error:
                self._log.warning("statuses", why=str(error) or type(error).__name__)
            await asyncio.sleep(PAUSE)

    async def _watch_streams(self) -> None:
        while True:
            try:
                await self._streams.look()
            except (nats.errors.Error, TimeoutError) as error:
                self._log.warning("streams", why=str(error) or type(error).__name__)
            await asyncio.sleep(PAUSE)

    def _report(self, cause: FloorCause, why: str) -> None:
        self.picture.report(cause, why, self._clock())

    async def _serve(self, web: WebSection) -> None:
        with loading():
            # A floor that serves no pages does not carry their 16 MB
            from controller.floor.service.page_service import serve_pages
        await serve_pages(self._config, web, self.picture, self.acts)
