"""Sends the rows of a table's journal to the stream of its property, in order and each once.

Theory of operation
-------------------
The shipper keeps nothing on disk. Where it goes on is known elsewhere: the last message under its own subject
says which row the stream has, and the floor says which row it has stored. The shipper goes on after the later
of the two, if the journal has the same row there. It has other rows if the table's disk was put back or
copied: then the shipper stops, because whatever it sent would be a second history.

Every message states the sequence of the last message under its subject. The server refuses it if that is not
so. So a second program under the same name, or one that was asleep, cannot send rows out of order; after a
refusal, the shipper asks again where it stands.

Rows of a round in play stay at the table until the round has ended: the core says up to which row everything
may leave the house.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Final

import nats.errors
import structlog
from nats.js import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from controller.floor.batch import Batch, BatchError, batch_of, batches
from controller.floor.streams import JOURNAL
from controller.journal.chain import START
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.journal.place import Extent, OtherRows, goes_on_after
from controller.property.shipping import ResendReply, ResumeReply

EXPECTED: Final = "Nats-Expected-Last-Subject-Sequence"
WRONG_SEQUENCE: Final = frozenset({10071, 10164})
"""What a server answers to a message whose expected sequence is wrong."""
ANSWER_LIMIT: Final = 2.0
"""Seconds to wait for the acknowledgement of a batch."""
FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 1.0
LONG_PAUSE: Final = 30.0
"""Seconds between two attempts while a person has to do something first."""
MOST_REFUSALS: Final = 3
BATCHES_KEPT: Final = 256
"""The last batches with which acknowledgements of the floor are compared."""
INTRUDER: Final = "Another program sends rows under {subject}: find it, and stop it"
UNKNOWN: Final = "The floor takes no rows under {subject}: two persons must admit the table's journal there"
GONE: Final = "The floor does not have the rows {first} to {last}, and their file was deleted at the table"

AskFloor = Callable[[Extent], Awaitable[ResumeReply | None]]
"""Asks the floor what it has stored of the journal; None if it does not answer."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Up to where the rows are in the stream: the row and its hash, and the sequence of the message."""

    row: int = 0
    hash: bytes = START
    seq: int = 0


class _Again(Exception):
    """Nothing could be sent; the shipper asks again where it stands. The message says why."""


class _WrongSequence(Exception):
    """The last message under the table's subject is not the one that the shipper knows."""


class _NotAdmitted(Exception):
    """The floor does not take this journal."""


class Shipper:
    """Sends the rows of `history` under `subject`. `alarm` gets the reason why rows are not sent or cannot
    arrive; empty when all is well again. Call `disclose` with the last row that may leave the house."""

    def __init__(
        self,
        history: History,
        stream: JetStreamContext,
        subject: str,
        ask_floor: AskFloor,
        alarm: Callable[[str], None],
        most_rows_a_second: int,
    ) -> None:
        self._history, self._stream, self._subject = history, stream, subject
        self._ask_floor, self._alarm = ask_floor, alarm
        self._seconds_a_row = 1 / most_rows_a_second
        self._disclosed = 0
        self._gone = ""
        self._again_from: Reached | None = None
        self._fork: OtherRows | None = None
        self._sent = OrderedDict[int, bytes]()
        self._news = asyncio.Event()
        self._log = structlog.get_logger("tableside.uplink")
        self.reached = Reached()
        self.stored = 0
        """The last row that the floor says it has."""

    def disclose(self, row: int) -> None:
        self._disclosed = row
        self._news.set()

    def resend(self, row: int, digest: bytes) -> ResendReply:
        """Send the rows after this one again, if the journal has them."""
        try:
            extent = Extent.of(self._history)
            if not goes_on_after(self._history, extent, row, digest):
                return ResendReply(v=1, ok=False, code="gone", oldest=extent.oldest)
        except OtherRows as error:
            self._stop(error)
            return ResendReply(v=1, ok=False, code="fork")
        except JournalError as error:
            self._log.warning("journal", why=str(error))
            return ResendReply(v=1, ok=False, code="down")
        self._again_from = Reached(row, digest)
        self._news.set()
        return ResendReply(v=1, ok=True)

    def acknowledged(self, row: int, digest: bytes) -> None:
        """The floor has stored the rows up to this one."""
        if self._sent.get(row, digest) != digest:
            self._stop(OtherRows(f"row {row} of the floor is not the one that was sent"))
        self.stored = max(self.stored, row)

    async def run(self) -> None:
        """Send rows until cancelled. Raises OtherRows."""
        pause, refusals = FIRST_PAUSE, 0
        while True:
            try:
                self.reached = await self._find_place()
                if not refusals:
                    self._alarm(self._gone)
                async for _sent in self._sending():
                    pause, refusals = FIRST_PAUSE, 0
                    self._alarm(self._gone)
            except _WrongSequence as error:
                refusals += 1
                if refusals >= MOST_REFUSALS:
                    self._alarm(INTRUDER.format(subject=self._subject))
                    pause = LONG_PAUSE
                self._log.warning("refused", why=str(error))
            except _NotAdmitted:
                self._alarm(UNKNOWN.format(subject=self._subject))
                pause = LONG_PAUSE
            except _Again as error:
                self._log.warning("not sent", why=str(error))
            await asyncio.sleep(pause)
            pause = min(2 * pause, max(pause, LONGEST_PAUSE))

    def _stop(self, why: OtherRows) -> None:
        self._fork = why
        self._news.set()

    async def _find_place(self) -> Reached:
        """After which row the shipper goes on. Raises OtherRows, _Again, _NotAdmitted."""
        sent = await self._last_sent()
        try:
            extent = Extent.of(self._history)
            stored = await self._ask_floor(extent)
            if stored and not stored.admitted:
                raise _NotAdmitted
            later = Reached(stored.row, stored.digest, sent.seq) if stored else sent
            for known in (sent, later):
                self._check(extent, known)
            place = max(sent, later, key=lambda known: known.row)
            if place.row >= extent.oldest - 1:
                self._gone = ""
                return place
        except JournalError as error:
            raise _Again(str(error)) from error
        if place.row:
            self._gone = GONE.format(first=place.row + 1, last=extent.oldest - 1)
        return Reached(extent.oldest - 1, extent.before, sent.seq)

    def _check(self, extent: Extent, known: Reached) -> None:
        """Raises OtherRows, JournalError."""
        if known.row:
            goes_on_after(self._history, extent, known.row, known.hash)

    async def _last_sent(self) -> Reached:
        """Where the stream ends. Raises OtherRows, _Again."""
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                last = await self._stream.get_last_msg(JOURNAL, self._subject, direct=True)
        except NotFoundError:
            return Reached()
        except (TimeoutError, nats.errors.Error, APIError) as error:
            raise _Again(f"the stream cannot be read: {error!r}") from error
        try:
            batch = batch_of(last.headers or {}, last.data or b"")
        except BatchError as error:
            raise OtherRows(
                f"the last message under {self._subject} is not one of a table: {error}"
            ) from error
        return Reached(batch.last, batch.hash, last.seq or 0)

    async def _sending(self) -> AsyncIterator[Batch]:
        """Send what may leave the house, batch by batch, for ever. Raises OtherRows, _Again,
        _WrongSequence."""
        while True:
            self._news.clear()
            self._turn_back()
            for batch in self._next_batches():
                await self._publish(batch)
                yield batch
                await asyncio.sleep((batch.last - batch.first + 1) * self._seconds_a_row)
                if self._again_from or self._fork:
                    break
            else:
                await self._news.wait()

    def _turn_back(self) -> None:
        """Do what the floor asked for. Raises OtherRows."""
        if self._fork:
            raise self._fork
        if place := self._again_from:
            self.reached = Reached(place.row, place.hash, self.reached.seq)
            self._again_from = None

    def _next_batches(self) -> Iterator[Batch]:
        """Everything that may leave the house now. Raises _Again."""
        first = self.reached.row + 1
        if first > self._disclosed:
            return
        rows = self._history.rows(first, self._disclosed)
        try:
            for batch in batches(self.reached.hash, rows):
                if batch.first != self.reached.row + 1:
                    raise _Again(f"row {first} is gone")
                yield batch
        except JournalError as error:
            raise _Again(str(error)) from error

    async def _publish(self, batch: Batch) -> None:
        """Raises _Again, _WrongSequence."""
        headers = {**batch.headers(), EXPECTED: str(self.reached.seq)}
        try:
            taken = await self._stream.publish(
                self._subject, batch.data, timeout=ANSWER_LIMIT, stream=JOURNAL, headers=headers
            )
        except APIError as error:
            if error.err_code in WRONG_SEQUENCE:
                raise _WrongSequence(error.description or "wrong last sequence") from error
            raise _Again(error.description or repr(error)) from error
        except (TimeoutError, nats.errors.Error) as error:
            raise _Again(f"no acknowledgement: {error!r}") from error
        self.reached = Reached(batch.last, batch.hash, taken.seq)
        self._sent[batch.last] = batch.hash
        if len(self._sent) > BATCHES_KEPT:
            self._sent.popitem(last=False)
