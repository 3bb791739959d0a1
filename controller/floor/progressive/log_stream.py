"""PROGRESSIVE_LOG: the log of a level as it is in the stream."""

import asyncio
from dataclasses import dataclass
from typing import Final

import nats.errors
from nats.js import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from controller.floor.streams import PROGRESSIVE_LOG
from controller.floor.uplink.shipper import EXPECTED, WRONG_SEQUENCE
from controller.jackpot.linked.entries import LogEntry, LogFault, read_entry
from controller.jackpot.linked.events import Published, PublishRefused, PublishUnknown
from controller.jackpot.linked.wire import MalformedMessage

ANSWER_LIMIT: Final = 2.0
"""Seconds to wait for an answer of the servers."""
MOST_ENTRIES: Final = 500
"""Entries that are read at once."""


class StreamAway(Exception):
    """The servers do not answer now. The message says what they said instead."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry, and the sequence of its message."""

    sequence: int
    entry: LogEntry


class LogStream:
    """The entries under `subject`. Only the leader of the stream answers."""

    def __init__(self, stream: JetStreamContext, subject: str) -> None:
        self._stream, self._subject = stream, subject

    async def end(self) -> StoredEntry | None:
        """The last entry. Raises StreamAway, LogFault."""
        return await self._read(0)

    async def at(self, sequence: int) -> StoredEntry | None:
        """The first entry whose message has this sequence or a higher one. Raises StreamAway, LogFault."""
        return await self._read(max(1, sequence))

    async def after(self, sequence: int, n: int) -> list[StoredEntry]:
        """Entries with higher numbers than `n` whose messages follow `sequence`, at most MOST_ENTRIES. Raises
        StreamAway, LogFault."""
        found = list[StoredEntry]()
        while len(found) < MOST_ENTRIES and (stored := await self.at(sequence + 1)):
            if stored.entry.n > n:
                found.append(stored)
            sequence = stored.sequence
        return found

    async def publish(self, entry: LogEntry, expected: int) -> Published | PublishRefused | PublishUnknown:
        """Publish the entry if the last message under the subject has the sequence `expected`."""
        try:
            taken = await self._stream.publish(
                self._subject,
                entry.payload,
                timeout=ANSWER_LIMIT,
                stream=PROGRESSIVE_LOG,
                headers={EXPECTED: str(expected)},
            )
        except APIError as error:
            return PublishRefused() if error.err_code in WRONG_SEQUENCE else PublishUnknown()
        except (TimeoutError, nats.errors.Error):
            return PublishUnknown()
        return Published(taken.seq)

    async def _read(self, sequence: int) -> StoredEntry | None:
        """The first entry from `sequence` on; the last one for 0."""
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                found = await self._stream.get_msg(
                    PROGRESSIVE_LOG, sequence or None, self._subject, next=bool(sequence)
                )
        except NotFoundError:
            return None
        except (TimeoutError, nats.errors.Error, APIError) as error:
            raise StreamAway(f"{PROGRESSIVE_LOG} cannot be read: {error!r}") from error
        try:
            return StoredEntry(found.seq or 0, read_entry(found.data or b""))
        except MalformedMessage as error:
            raise LogFault(f"message {found.seq} under {self._subject} is not an entry: {error}") from error
