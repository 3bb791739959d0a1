"""Sends each table its directory, whenever it has changed and every few minutes.

A change is an entry in the floor's own journal first: its number is the version. The entry says who is
listed, without secrets, and the digest of the content. So an instance that begins to act knows the version of
each directory, and whether it still is the right one. The stream DIRECTORY has the last message of each
table, for a table that comes back.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import nats.errors
import structlog
from nats.aio.client import Client
from nats.js.errors import APIError, NotFoundError

from controller.floor.directories.contents import AccountFields, content_for, digest_of
from controller.floor.floor_log import FloorEntry
from controller.floor.streams import DIRECTORY
from controller.journal.signing import Signer
from controller.property.directory import Directory, DirectoryContent, DirectoryTooLong
from controller.property.signed import SignedMessage
from controller.property.status import StatusDirectory
from controller.property.subjects import PropertySubjects
from controller.property.wire import MalformedMessage

ENTRY: Final = "directory"
ISSUE_INTERVAL: Final = 300.0
"""Seconds between two messages of one version. A table is apart from the floor after three times that."""
ANSWER_LIMIT: Final = 2.0
TAKEN_WITHIN: Final = 30.0
"""Seconds in which a table takes what was sent."""
STEP: Final = 0.001
"""The least difference between two times `issued`."""
MANY: Final = 20
"""Tables after whose directories other work of the floor goes on."""
ServerError = (nats.errors.Error, APIError, TimeoutError)


class OwnJournal(Protocol):
    """The floor's own journal, as far as directories need it."""

    @property
    def leads(self) -> bool:
        """Whether this instance of the floor may act now."""

    async def record(self, kind: str, body: Mapping[str, Any]) -> FloorEntry:
        """The entry, when it is on disk. Raises NotActing."""

    def entries(self) -> Iterable[FloorEntry]:
        """All entries, oldest first."""


@dataclass(slots=True)
class SentDirectory:
    """The directory of one table. `issued`: of the last message, 0 before it; `at`: when it was sent, by the
    floor's monotonic clock; `ids`: all that any version has listed, the oldest first."""

    version: int = 0
    digest: str = ""
    content: DirectoryContent | None = None
    issued: float = 0.0
    at: float | None = None
    ids: dict[str, None] = field(default_factory=dict)
    fault: str = ""


class DirectoryPublisher:
    """`accounts` returns the accounts of the floor; `pits`: the tables of each pit; `wall`: Unix time;
    `steady`: a monotonic clock in seconds."""

    def __init__(
        self,
        client: Client,
        subjects: PropertySubjects,
        signer: Signer,
        journal: OwnJournal,
        accounts: Callable[[], Sequence[AccountFields]],
        pits: Mapping[str, tuple[str, ...]],
        wall: Callable[[], float],
        steady: Callable[[], float],
    ) -> None:
        self._client, self._subjects, self._signer = client, subjects, signer
        self._journal, self._accounts = journal, accounts
        self._wall, self._steady = wall, steady
        self._pits: dict[str, set[str]] = {}
        for pit, tables in pits.items():
            for table in tables:
                self._pits.setdefault(table, set()).add(pit)
        self._sent: dict[str, SentDirectory] | None = None
        self._compared: object = None
        self._log = structlog.get_logger("tableside.floor")

    async def beat(self, tables: Mapping[str, bytes]) -> None:
        """To be called once a second. `tables`: the key of each admitted table for which its directory is
        sealed. Raises AccountsUnusable, NotActing and the errors of nats."""
        if not self._journal.leads:
            self._sent = None
            return
        if self._sent is None:
            self._sent, self._compared = _restored(self._journal.entries()), None
        accounts = tuple(self._accounts())
        if (accounts, tables) != self._compared:
            for number, (table, public) in enumerate(tables.items()):
                await self._compare(self._sent.setdefault(table, SentDirectory()), table, public, accounts)
                if number % MANY == 0:
                    await asyncio.sleep(0)
            self._compared = (accounts, dict(tables))
        for table, public in tables.items():
            await self._send_when_due(self._sent[table], table, public)

    def complaint(self, table: str, has: StatusDirectory | None) -> str:
        """Why the table's directory is not the one that was sent, in a sentence; empty if it is, or still may
        become it. `has`: what the table's status says of it."""
        sent = (self._sent or {}).get(table)
        if sent is None or sent.fault:
            return sent.fault if sent else ""
        if sent.at is None or self._steady() - sent.at < TAKEN_WITHIN:
            return ""
        if has is None:
            return "The table does not say which directory it has"
        if (has.version, has.issued) < (sent.version, sent.issued):
            which = f"version {has.version}" if has.version else "none"
            return f"The table has not taken its directory: it has {which}"
        return ""

    async def _compare(
        self, sent: SentDirectory, table: str, public: bytes, accounts: Iterable[AccountFields]
    ) -> None:
        """Make a new version if the content, or the table's key, is another one. Raises NotActing."""
        content = content_for(table, self._pits.get(table, set()), accounts, list(sent.ids))
        digest = digest_of(content, public)
        sent.content = content
        if digest == sent.digest:
            return
        entry = await self._journal.record(ENTRY, _body(table, digest, content))
        _apply(sent, entry)
        sent.at = None
        self._log.info("directory", table=table, version=entry.n, accounts=len(content.accounts))

    async def _send_when_due(self, sent: SentDirectory, table: str, public: bytes) -> None:
        """Raises the errors of nats."""
        now = self._steady()
        if sent.content is None or (sent.at is not None and now - sent.at < ISSUE_INTERVAL):
            return
        if not sent.issued:
            sent.issued = await self._last_issued(table)
        issued = max(round(self._wall(), 3), sent.issued + STEP)
        try:
            made = Directory.make(table, sent.version, issued, sent.content, public)
        except (DirectoryTooLong, ValueError) as error:
            if sent.fault != str(error):
                self._log.error("no directory", table=table, why=str(error))
            sent.fault, sent.at = str(error), now
            return
        await self._publish(table, made)
        sent.issued, sent.at, sent.fault = issued, now, ""

    async def _publish(self, table: str, made: Directory) -> None:
        subject = self._subjects.directory(table)
        signed = SignedMessage.make(subject, made.payload, self._signer)
        await self._client.jetstream().publish(
            subject, signed.payload, timeout=ANSWER_LIMIT, stream=DIRECTORY, headers=signed.headers()
        )

    async def _last_issued(self, table: str) -> float:
        """When the last message was issued, by this instance or another. The clock may have been set back
        since. Raises the errors of nats."""
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                last = await self._client.jetstream().get_last_msg(DIRECTORY, self._subjects.directory(table))
            return Directory.read(last.data or b"").issued
        except (NotFoundError, MalformedMessage):
            return 0.0


def _restored(entries: Iterable[FloorEntry]) -> dict[str, SentDirectory]:
    """What was sent before this instance began to act."""
    sent: dict[str, SentDirectory] = {}
    for entry in entries:
        if entry.kind == ENTRY:
            _apply(sent.setdefault(entry.body["table"], SentDirectory()), entry)
    return sent


def _apply(sent: SentDirectory, entry: FloorEntry) -> None:
    sent.version, sent.digest = entry.n, entry.body["digest"]
    for account in entry.body["accounts"]:
        sent.ids[account["id"]] = None


def _body(table: str, digest: str, content: DirectoryContent) -> dict[str, Any]:
    """The entry, without secrets."""
    accounts = [
        {"id": one.id, "name": one.name, "role": one.role, "locked": one.locked} for one in content.accounts
    ]
    return {"table": table, "digest": digest, "accounts": accounts, "revoked": list(content.revoked)}
