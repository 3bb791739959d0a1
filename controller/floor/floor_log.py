"""The floor's own journal: what people at the floor did, in FLOOR_LOG and on the disk of each instance.

An entry is published first, under the condition that the stream still ends where this instance believes;
then it is appended to the own journal, the same kind of journal as a table's; only then the floor acts on it.
So of two instances one is first, and the other one takes over its entry and tries again. An entry holds its
number and the hash of the entry before: two logs that differ anywhere differ in every later entry.

| at the start | what is done |
|---|---|
| the stream has more entries | they are appended to the journal |
| the journal has more entries | they are published again: the servers have lost the end of the stream |
| one entry differs | LogFork: two persons have to look; nothing is written |

If the stream has the last entry of the journal where the journal says, all entries before are equal too. Only
otherwise are they compared one by one.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Protocol

import nats.errors
from nats.js import JetStreamContext
from nats.js.errors import APIError, NotFoundError
from pydantic import StringConstraints

from controller.floor.streams import FLOOR_LOG
from controller.floor.uplink.shipper import EXPECTED, WRONG_SEQUENCE
from controller.journal.chain import JournalRow, RowContent
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.property.wire import MalformedMessage, Message, Number, UnixTime

FILE: Final = "floor.journal"
"""The name of the own journal in the folder of the stores."""
ENTRY: Final = "floor log"
"""The kind of a row with an entry. Its number is the sequence of the entry's message when it was appended."""
ANSWER_LIMIT: Final = 2.0
"""Seconds to wait for an answer of the servers."""
MOST_TRIES: Final = 20
"""Times that other instances may be first."""
FIRST: Final = "0" * 64
"""The hash before the first entry."""


class LogAway(Exception):
    """The servers do not take the entry now: nothing may be done. Whether the entry reached the log shows
    when the servers answer again."""


class LogFork(Exception):
    """The stream and the journal have different entries."""


class FloorEntry(Message):
    """`kind`: what happened, as "command"; `before`: the hash of the entry before."""

    n: Number
    at: UnixTime
    before: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
    kind: Annotated[str, StringConstraints(pattern="^[a-z ]{1,40}$")]
    body: dict[str, Any]


class SharedJournal(Protocol):
    """The floor's own journal, for what happens at the computer of either instance."""

    @property
    def last(self) -> int:
        """The number of the last entry, 0 until it is known."""

    async def note(self, kind: str, body: Mapping[str, Any]) -> FloorEntry:
        """The entry, when it is on disk. Raises NotActing."""

    def entries(self, after: int = 0) -> Iterable[FloorEntry]:
        """The entries after this number, oldest first."""


@dataclass(frozen=True, slots=True)
class LogPlace:
    """After entry `n`, whose hash is `hash`; `sequence`: of the last message of the stream, 0 for none."""

    n: int = 0
    hash: str = FIRST
    sequence: int = 0


class FloorLog:
    """The journal at `path` belongs to this instance alone and is open. `clock`: seconds of Unix time.
    `start` comes first. Methods raise JournalError for a journal that cannot be written."""

    def __init__(
        self,
        stream: JetStreamContext,
        subject: str,
        path: Path,
        journal: Journal,
        clock: Callable[[], float],
    ) -> None:
        self._stream, self._subject = stream, subject
        self._path, self._journal, self._clock = path, journal, clock
        self._place = LogPlace()
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """Complete the shorter one of stream and journal. Raises LogAway, LogFork."""
        async with self._turn:
            own = [(row.content.number, row.content.body.encode()) for row in self._rows(1)]
            if own:
                payload = own[-1][1]
                self._place = LogPlace(FloorEntry.read(payload).n, hash_of(payload))
            sequence, shared = await self._compare(own)
            self._place = LogPlace(self._place.n, self._place.hash, sequence)
            for _, payload in own[shared:]:
                if not await self._publish(payload):
                    raise LogAway(f"{FLOOR_LOG}: another instance writes")
            await self._catch_up()

    async def follow(self) -> None:
        """Append what other instances have published since. Raises LogAway, LogFork."""
        async with self._turn:
            await self._catch_up()

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self._place.n

    async def append(self, kind: str, body: Mapping[str, Any]) -> FloorEntry:
        """The entry is in the stream and on this instance's disk when this returns. Raises LogAway,
        LogFork."""
        async with self._turn:
            for _ in range(MOST_TRIES):
                place = self._place
                at = round(self._clock(), 3)
                entry = FloorEntry(v=1, n=place.n + 1, at=at, before=place.hash, kind=kind, body=dict(body))
                if await self._publish(entry.payload):
                    self._write(entry)
                    return entry
                await self._catch_up()
            raise LogAway(f"{FLOOR_LOG}: other instances were first {MOST_TRIES} times")

    def entries(self, after: int = 0) -> Iterator[FloorEntry]:
        """The entries of the own journal after entry `after`, oldest first."""
        for row in self._rows(after + 1):  # entry n cannot be in an earlier row than n
            entry = FloorEntry.read(row.content.body.encode())
            if entry.n > after:
                yield entry

    def _rows(self, first: int) -> Iterator[JournalRow]:
        """The rows with entries from a row on."""
        if self._journal.head:
            yield from (row for row in History(self._path).rows(first) if row.content.kind == ENTRY)

    async def _compare(self, own: Sequence[tuple[int, bytes]]) -> tuple[int, int]:
        """The sequence of the stream's last message that the journal has too, and how many entries they
        share. Raises LogFork."""
        if own and await self._read(own[-1][0]) == own[-1]:
            return own[-1][0], len(own)
        sequence = shared = 0
        while found := await self._read(sequence + 1):
            number, payload = found
            if shared == len(own):
                break
            if payload != own[shared][1]:
                raise LogFork(f"{FLOOR_LOG} and the floor's journal have different entries {shared + 1}")
            sequence, shared = number, shared + 1
        return sequence, shared

    async def _catch_up(self) -> None:
        """Append what other instances have published. Raises LogAway, LogFork."""
        while found := await self._read(self._place.sequence + 1):
            sequence, payload = found
            try:
                entry = FloorEntry.read(payload)
            except MalformedMessage as wrong:
                raise LogFork(f"{FLOOR_LOG}: message {sequence} is not an entry: {wrong}") from None
            if (entry.n, entry.before) != (self._place.n + 1, self._place.hash):
                raise LogFork(f"{FLOOR_LOG}: message {sequence} does not follow entry {self._place.n}")
            self._place = LogPlace(self._place.n, self._place.hash, sequence)
            self._write(entry)

    def _write(self, entry: FloorEntry) -> None:
        row = RowContent(entry.at, ENTRY, entry.payload.decode(), number=self._place.sequence)
        if not (self._journal.full and self._begin_file(row)):
            self._journal.append([row])
        self._place = LogPlace(entry.n, hash_of(entry.payload), self._place.sequence)

    def _begin_file(self, row: RowContent) -> bool:
        """Close the full file; `row` begins the next one. Returns whether that was done."""
        if not self._journal.copied:
            self._journal.copy().run()
        before = self._journal.head
        self._journal.roll([row])
        return self._journal.head is not before

    async def _publish(self, payload: bytes) -> bool:
        """Whether the stream has the entry at its end; False if it has another one. Raises LogAway."""
        expected = self._place.sequence
        try:
            taken = await self._stream.publish(
                self._subject,
                payload,
                timeout=ANSWER_LIMIT,
                stream=FLOOR_LOG,
                headers={EXPECTED: str(expected)},
            )
        except APIError as error:
            if error.err_code in WRONG_SEQUENCE:
                return await self._is_next(payload)
            raise LogAway(f"{FLOOR_LOG} does not take the entry: {error.description}") from error
        except (TimeoutError, nats.errors.Error) as error:
            if await self._is_next(payload):
                return True
            raise LogAway(f"{FLOOR_LOG} does not answer: {error!r}") from error
        self._place = LogPlace(self._place.n, self._place.hash, taken.seq)
        return True

    async def _is_next(self, payload: bytes) -> bool:
        """Whether our entry is in the stream although its answer was lost."""
        found = await self._read(self._place.sequence + 1)
        if found is None or found[1] != payload:
            return False
        self._place = LogPlace(self._place.n, self._place.hash, found[0])
        return True

    async def _read(self, sequence: int) -> tuple[int, bytes] | None:
        """The first message from this sequence on. Raises LogAway."""
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                found = await self._stream.get_msg(FLOOR_LOG, sequence, self._subject, next=True)
        except NotFoundError:
            return None
        except (TimeoutError, nats.errors.Error, APIError) as error:
            raise LogAway(f"{FLOOR_LOG} cannot be read: {error!r}") from error
        return found.seq or 0, found.data or b""


def hash_of(payload: bytes) -> str:
    return hashlib.sha256(payload).hexdigest()
