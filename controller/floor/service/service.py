"""The process of a floor, from its configuration to its end: `tableside floor run`."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.js import JetStreamContext

from controller.config import ConfigError
from controller.floor.collector import Collector
from controller.floor.connection import ConnectionEndedError, ServersError, connection
from controller.floor.credentials import CredentialsError
from controller.floor.day_file import JournalName
from controller.floor.keys import floor_signer
from controller.floor.monitoring import check_disk_writes
from controller.floor.projector import STREAM, Admission, Incident, Projector
from controller.floor.register import FloorRegister, KeptIncident
from controller.floor.service.account_log import AccountLog
from controller.floor.service.decision_log import DecisionLog
from controller.floor.service.pit import Pit
from controller.floor.service.servers import servers_of
from controller.floor.service.table_link import TableLink
from controller.floor.settings import FloorConfig, read_floor
from controller.floor.store import FloorStore
from controller.floor.store_file import StoreError
from controller.floor.streams import StreamError, check
from controller.journal.signing import Signer
from controller.process.faults import FAILED, USAGE, is_temporary, print_faults
from controller.process.memory_tuning import limit_memory
from controller.process.notify import Notifier
from controller.process.tasks import run_parts, stop_event
from controller.process.time_zone import set_time_zone
from controller.property.subjects import HUB, PropertySubjects
from controller.telemetry import logs
from drivers.key_files import KeyFault

BEAT: Final = 1.0
"""Seconds between two looks at what persons decided, what to acknowledge and what to ask for."""
PAUSE: Final = 1.0
"""Seconds after an error of the servers."""
RETENTION_PAUSE: Final = 3600.0
FAULTS: Final = (
    StreamError,
    StoreError,
    ServersError,
    CredentialsError,
    ConnectionEndedError,
    KeyFault,
    sqlite3.Error,
    OSError,
)
"""What ends the service with status 1."""


class FloorService:
    """Stores what the tables of a property send until it is cancelled."""

    def __init__(self, config: FloorConfig, signer: Signer, clock: Callable[[], float] = time.time) -> None:
        self._config, self._signer, self._clock = config, signer, clock
        self._log = structlog.get_logger("tableside.floor")
        self._notifier = Notifier()
        self._connected = False

    async def run(self) -> None:
        """Raises one of FAULTS."""
        config, folder = self._config, Path(self._config.stores)
        self._notifier.ready("Connecting")
        try:
            with (
                FloorRegister(folder, self._clock) as register,
                FloorStore(folder, config.calendar(), self._clock) as store,
            ):
                async with connection(servers_of(config), self._on_change) as client:
                    await self._store_rows(client, register, store)
        finally:
            self._notifier.stopping()
            self._notifier.close()

    async def _store_rows(self, client: Client, register: FloorRegister, store: FloorStore) -> None:
        stream, config = client.jetstream(), self._config
        await self._until_answered(lambda: check(stream, config.deployment().streams()))
        await check_disk_writes(config.monitors, Path(config.ca) if config.ca else None)
        work = _FloorWork(config, self._signer, self._clock, client, stream, register, store)
        self._log.info("floor", property=config.property, public=self._signer.public.hex())
        parts = work.collect(), work.follow(), self._beats(work), work.pit.run()
        try:
            await run_parts(parts)
        finally:
            await work.close()

    async def _until_answered(self, question: Callable[[], Awaitable[None]]) -> None:
        """Ask until the servers answer: they may have no leader yet."""
        while True:
            try:
                return await question()
            except (nats.errors.Error, TimeoutError) as error:
                self._log.warning("servers", why=str(error) or type(error).__name__)
            await asyncio.sleep(PAUSE)

    async def _beats(self, work: "_FloorWork") -> None:
        """Feed the watchdog after each finished beat."""
        while True:
            with suppress(nats.errors.Error, TimeoutError):
                await work.beat()
            if self._notifier.watchdog:
                self._notifier.feed()
            self._notifier.status(work.status() if self._connected else "No server answers")
            await asyncio.sleep(BEAT)

    def _on_change(self, connected: bool) -> None:
        self._connected = connected


class _FloorWork:
    """What the service does while it has a connection, also a lost one."""

    def __init__(
        self,
        config: FloorConfig,
        signer: Signer,
        clock: Callable[[], float],
        client: Client,
        stream: JetStreamContext,
        register: FloorRegister,
        store: FloorStore,
    ) -> None:
        self._config, self._register, self._store = config, register, store
        subjects = PropertySubjects(config.property)
        self._log = structlog.get_logger("tableside.floor")
        self._projector = Projector(store, *self._decided())
        position = store.newest.position(STREAM)
        self._collector = Collector(stream, subjects, self._projector, position, self._report)
        self._tables = TableLink(client, subjects, signer, self._projector, self._report_one, clock)
        self.pit = Pit(config, client, signer, clock)
        self._decisions = DecisionLog(register, self.pit.acts)
        self._accounts = AccountLog(Path(config.access.path), self.pit.acts, signer)
        self._register_version = register.version
        self._acts = False
        self._retired_at = float("-inf")

    async def collect(self) -> None:
        """Read the stream for ever."""
        while True:
            try:
                await self._collector.run()
            except (nats.errors.Error, TimeoutError) as error:
                self._log.warning("stream", why=str(error) or type(error).__name__)
                await asyncio.sleep(PAUSE)

    async def follow(self) -> None:
        """Share decisions and accounts with the other instance, for ever."""
        await run_parts((self._decisions.run(), self._accounts.run()))

    async def beat(self) -> None:
        """An instance that begins to act answers tables only when it knows who is admitted. Raises the errors
        of nats."""
        has_decisions = self._acts or self._decisions.complete
        self._follow_decisions()
        self._acts = has_decisions and self.pit.acts.leads
        self._retire()
        gaps = self._settle_incidents()
        self.pit.look(self._register, self._projector.admissions, self._projector.heads)
        await self._tables.beat(gaps, acts=self._acts)

    async def close(self) -> None:
        await self._tables.close()

    def status(self) -> str:
        """One sentence for systemd."""
        incidents = len(self._register.incidents())
        return f"{len(self._projector.heads)} journals, {incidents} open incidents"

    def _decided(self) -> tuple[dict[JournalName, Admission], dict[JournalName, Admission]]:
        """The journals that are admitted, and those that go on after a gap."""
        return self._register.admissions(logged=True), self._register.accepted_gaps(logged=True)

    def _follow_decisions(self) -> None:
        """What two persons have decided meanwhile counts now. Rows that were refused are read once more."""
        if self._register.version == self._register_version:
            return
        self._register_version = self._register.version
        admissions, accepted = self._decided()
        if (admissions, accepted) == (self._projector.admissions, self._projector.accepted):
            return
        self._log.info("admitted journals", number=len(admissions))
        self._projector.admissions, self._projector.accepted = admissions, accepted
        self._collector.read_again()

    def _retire(self) -> None:
        now = time.monotonic()
        if now - self._retired_at >= RETENTION_PAUSE:
            self._retired_at = now
            for day in self._store.retire(self._config.retention):
                self._log.info("gaming day deleted", day=day.isoformat(), retention=self._config.retention)

    def _settle_incidents(self) -> set[JournalName]:
        """End what has come right. Returns the journals with a gap."""
        gaps = set()
        for kept in self._register.incidents():
            if how := self._outcome(kept.incident):
                self._register.settle(kept.number, how)
                self._log_incident("incident ended", kept, how)
            elif kept.incident.kind == "gap":
                gaps.add(kept.incident.name)
        return gaps

    def _outcome(self, incident: Incident) -> str:
        """How an incident ended by itself; empty if it did not."""
        if incident.kind == "unknown journal":
            return "two persons admitted it" if incident.name in self._projector.admissions else ""
        head = self._projector.heads.get(incident.name)
        if incident.kind in ("gap", "rows gone") and head and head.row >= max(incident.last, incident.row):
            return f"the journal is stored up to row {head.row}"
        return ""

    def _report_one(self, incident: Incident) -> None:
        self._report([incident])

    def _report(self, incidents: list[Incident]) -> None:
        for incident in self._register.report_all(incidents):
            self._log.error(
                "incident",
                kind=incident.kind,
                table=incident.name.table,
                epoch=incident.name.epoch,
                row=incident.row,
                why=incident.why,
                todo=incident.advice,
            )

    def _log_incident(self, event: str, kept: KeptIncident, how: str) -> None:
        incident = kept.incident
        self._log.info(event, kind=incident.kind, table=incident.name.table, row=incident.row, how=how)


async def _until_signal(service: FloorService) -> None:
    stop = stop_event()
    await run_parts((service.run(), stop.wait()))


def serve(config: Path) -> int:
    """Store what tables send until SIGTERM or SIGINT. Prints any fault to standard error and returns the exit
    status."""
    limit_memory()
    with logs.background_logging():
        try:
            found = read_floor(config)
            if found.property == HUB:
                raise ConfigError(
                    (f"property = {HUB}: not allowed; a hub has linked progressives, no floor",)
                )
            set_time_zone(found.reports.zone)
            asyncio.run(_until_signal(FloorService(found, floor_signer(Path(found.key)))))
        except ConfigError as error:
            print_faults(*error.faults)
            return FAILED if is_temporary(error) else USAGE  # systemd does not restart after USAGE
        except FAULTS as error:
            print_faults(str(error))
            return FAILED
    return 0
