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
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final

import nats.errors
import structlog
from nats.js import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from controller.floor.batch import MOST_ROWS, Batch, BatchError, batch_of, batches
from controller.floor.streams import JOURNAL
from controller.journal.chain import START
from controller.journal.errors import JournalError
from controller.journal.history import History

EXPECTED: Final = "Nats-Expected-Last-Subject-Sequence"
WRONG_SEQUENCE: Final = frozenset({10071, 10164})
"""What a server answers to a message whose expected sequence is wrong."""
ANSWER_LIMIT: Final = 3.0
"""Seconds to wait for the acknowledgement of a batch."""
FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 2.0
INTRUDER_PAUSE: Final = 30.0
"""Seconds between two attempts while another program uses the table's name."""
MOST_REFUSALS: Final = 3
INTRUDER: Final = "Another program sends rows under {subject}: find it, and stop it"


class OtherRows(Exception):
    """The stream or the floor has rows that the journal does not have. The message names them."""


class _Again(Exception):
    """Nothing could be sent; the shipper asks again where it stands. The message says why."""


class _WrongSequence(Exception):
    """The last message under the table's subject is not the one that the shipper knows."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Up to where the rows are in the stream: the row and its hash, and the sequence of the message."""

    row: int = 0
    hash: bytes = START
    seq: int = 0


class Shipper:
    """Sends the rows of `history` under `subject`. `alarm` gets the reason why nothing can be sent; empty
    when it can be again. Call `disclose` with the last row that may leave the house."""

    def __init__(
        self,
        history: History,
        stream: JetStreamContext,
        subject: str,
        alarm: Callable[[str], None],
        most_rows_a_second: int,
    ) -> None:
        self._history, self._stream, self._subject, self._alarm = history, stream, subject, alarm
        self._seconds_a_row = 1 / most_rows_a_second
        self._disclosed = 0
        self._news = asyncio.Event()
        self._log = structlog.get_logger("tableside.uplink")
        self.reached = Reached()

    def disclose(self, row: int) -> None:
        self._disclosed = row
        self._news.set()

    async def run(self) -> None:
        """Send rows until cancelled. Raises OtherRows."""
        pause, refusals = FIRST_PAUSE, 0
        while True:
            try:
                self.reached = await self._find_place()
                async for _sent in self._sending():
                    pause, refusals = FIRST_PAUSE, 0
                    self._alarm("")
            except _WrongSequence as error:
                refusals += 1
                if refusals >= MOST_REFUSALS:
                    self._alarm(INTRUDER.format(subject=self._subject))
                    pause = INTRUDER_PAUSE
                self._log.warning("refused", why=str(error))
            except _Again as error:
                self._log.warning("not sent", why=str(error))
            await asyncio.sleep(pause)
            pause = min(2 * pause, max(pause, LONGEST_PAUSE))

    async def _find_place(self) -> Reached:
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
        reached = Reached(batch.last, batch.hash, last.seq or 0)
        self._compare(reached)
        return reached

    def _compare(self, reached: Reached) -> None:
        """Raises OtherRows, _Again."""
        try:
            file = self._history.file_with(reached.row)
            row = self._history.at(reached.row) if file else None
        except JournalError as error:
            raise _Again(str(error)) from error
        if row is None:
            raise OtherRows(f"the floor has row {reached.row}, and the journal has not")
        if row.hash != reached.hash:
            raise OtherRows(f"row {reached.row} of the journal is not the one that the floor has")

    async def _sending(self) -> AsyncIterator[Batch]:
        """Send what may leave the house, batch by batch, for ever. Raises _Again, _WrongSequence."""
        while True:
            self._news.clear()
            while batch := self._next_batch():
                await self._publish(batch)
                yield batch
                await asyncio.sleep((batch.last - batch.first + 1) * self._seconds_a_row)
            await self._news.wait()

    def _next_batch(self) -> Batch | None:
        """None if everything that may leave the house is sent. Raises _Again."""
        if self.reached.row >= self._disclosed:
            return None
        try:
            rows = list(islice(self._history.rows(self.reached.row + 1, self._disclosed), MOST_ROWS))
        except JournalError as error:
            raise _Again(str(error)) from error
        return next(batches(self.reached.hash, rows), None)

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
