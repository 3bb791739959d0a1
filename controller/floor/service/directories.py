"""The directories of a property's tables, as a part of the floor's service."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.js.errors import APIError

from controller.access.errors import AccountsUnusable
from controller.access.store import AccessStore
from controller.floor.approvals.acts import NotActing
from controller.floor.directories.contents import AccountFields, fields_of
from controller.floor.directories.publisher import DirectoryPublisher, OwnJournal
from controller.floor.settings import FloorConfig
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture
from controller.journal.signing import Signer
from controller.property.subjects import PropertySubjects

BEAT: Final = 1.0
"""Seconds between two looks at the accounts."""
PATIENCE: Final = 0.2
"""Seconds to wait for a program that writes accounts."""
FAULTS: Final = (NotActing, AccountsUnusable, nats.errors.Error, APIError, TimeoutError)


class AccountReader:
    """The accounts in a file, which are read again when another program has written."""

    def __init__(self, store: AccessStore) -> None:
        self._store = store
        self._version: int | None = None
        self._fields: tuple[AccountFields, ...] = ()

    def __call__(self) -> Sequence[AccountFields]:
        """Raises AccountsUnusable."""
        version = self._store.version
        if version != self._version:
            rows = self._store.rows("SELECT * FROM account ORDER BY name")
            self._fields, self._version = fields_of(rows), version
        return self._fields


class Directories:
    """Sends directories, and says on the picture which tables have not taken theirs. `clock`: Unix time;
    `steady`: a monotonic clock in seconds."""

    def __init__(
        self,
        config: FloorConfig,
        client: Client,
        signer: Signer,
        journal: OwnJournal,
        picture: FloorPicture,
        clock: Callable[[], float],
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._config, self._client, self._signer = config, client, signer
        self._journal, self._picture = journal, picture
        self._clock, self._steady = clock, steady
        self._complaints: dict[str, str] = {}
        self._fault = ""
        self._log = structlog.get_logger("tableside.floor")
        self.tables: Mapping[str, bytes] = {}
        """The key of each admitted table for which its directory is sealed."""

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                store = AccessStore(Path(self._config.access.path), PATIENCE)
            except AccountsUnusable as fault:
                self._note(str(fault))
                await asyncio.sleep(BEAT)
                continue
            try:
                await self._run(self._publisher(AccountReader(store)))
            except AccountsUnusable as fault:
                self._note(str(fault))
            finally:
                store.close()

    async def _run(self, publisher: DirectoryPublisher) -> None:
        """Raises AccountsUnusable."""
        while True:
            try:
                await publisher.beat(self.tables)
                self._note("")
            except AccountsUnusable:
                raise
            except FAULTS as fault:
                self._note(str(fault) or type(fault).__name__)
            self._complain(publisher)
            await asyncio.sleep(BEAT)

    def _publisher(self, accounts: AccountReader) -> DirectoryPublisher:
        config = self._config
        return DirectoryPublisher(
            self._client,
            PropertySubjects(config.property),
            self._signer,
            self._journal,
            accounts,
            config.pits,
            self._clock,
            self._steady,
        )

    def _complain(self, publisher: DirectoryPublisher) -> None:
        for table in self.tables:
            status = self._picture.status(table)
            why = publisher.complaint(table, status.directory if status else None)
            if why != self._complaints.get(table, ""):
                self._picture.report(FloorCause("directory", table), why, self._clock())
                self._complaints[table] = why

    def _note(self, why: str) -> None:
        """Log each fault once."""
        if why and why != self._fault:
            self._log.warning("directories", why=why)
        self._fault = why
