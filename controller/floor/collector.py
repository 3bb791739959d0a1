"""Reads the stream of journals from where the store ends, and hands what arrives to the projector."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, DeliverPolicy

from controller.floor.day_file import JournalName, Position
from controller.floor.projector import Incident, Projector, ReceivedBatch
from controller.floor.streams import JOURNAL
from controller.property.subjects import PropertySubjects

MOST_MESSAGES: Final = 64
MOST_BYTES: Final = 1 << 18
LONGEST_WAIT: Final = 0.2
"""A transaction has at most so many messages, ends with the one that makes it so long, and begins at most so
many seconds after the first: while a backlog is stored, statuses do not wait for long."""
IDLE: Final = 1.0
"""Seconds without a message after which the collector looks whether the stream has more."""


class Collector:
    """`position`: where the store ends. `on_taken` gets what was not stored, after each transaction."""

    def __init__(
        self,
        stream: JetStreamContext,
        subjects: PropertySubjects,
        projector: Projector,
        position: Position,
        on_taken: Callable[[list[Incident]], None],
    ) -> None:
        self._stream, self._subjects, self._projector = stream, subjects, projector
        self.position, self._on_taken = position, on_taken
        self._again = False
        self._log = structlog.get_logger("tableside.floor")

    def read_again(self) -> None:
        """Have the next `run` read the stream from its begin: what was refused before may be stored now."""
        self._again = True

    async def run(self) -> None:
        """Read until the stream has to be read from another place; call it again then. Raises the errors of
        nats."""
        self.position = await self._start()
        reading = await self._stream.subscribe(
            self._subjects.journals,
            stream=JOURNAL,
            ordered_consumer=True,
            config=ConsumerConfig(
                deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=self.position.seq + 1
            ),
        )
        try:
            while not self._again:
                received = await _received(reading.next_msg)
                if not received and not await self._has_all():
                    return
                if received and received[0].seq <= self.position.seq:
                    self._log.warning("the stream has lost its end", position=self.position.seq)
                    return
                if received:
                    self._take(received)
        finally:
            with suppress(nats.errors.Error):
                await reading.unsubscribe()

    async def _has_all(self) -> bool:
        """Whether the stream ends where the store ends. If it does not although no message comes, either the
        stream or this reader has lost its place."""
        state = (await self._stream.stream_info(JOURNAL)).state
        return not state.messages or state.last_seq == self.position.seq

    async def _start(self) -> Position:
        """The position of the store; the begin of the stream if that is shorter."""
        state = (await self._stream.stream_info(JOURNAL)).state
        begin = Position(self.position.incarnation + 1, max(0, state.first_seq - 1))  # 0 if it is empty
        if self._again:
            self._again = False
            return begin
        if state.last_seq >= self.position.seq:
            return self.position
        self._log.warning("the stream has lost its end", position=self.position.seq, last=state.last_seq)
        return begin

    def _take(self, received: list[ReceivedBatch]) -> None:
        incidents = self._projector.take(received, self.position.incarnation)
        self.position = Position(self.position.incarnation, received[-1].seq)
        self._on_taken(incidents)


async def _received(next_message: Callable[[float | None], Awaitable[Msg]]) -> list[ReceivedBatch]:
    """The next messages; none if none came in time."""
    messages = list[ReceivedBatch]()
    with suppress(TimeoutError):
        async with asyncio.timeout(IDLE):
            messages.append(_read(await next_message(None)))
        async with asyncio.timeout(LONGEST_WAIT):
            while len(messages) < MOST_MESSAGES and sum(len(one.data) for one in messages) < MOST_BYTES:
                messages.append(_read(await next_message(None)))
    return messages


def _read(message: Msg) -> ReceivedBatch:
    table, epoch = message.subject.split(".")[-2:]
    sequence = message.metadata.sequence.stream
    return ReceivedBatch(JournalName(table, epoch), sequence, message.headers or {}, message.data)
