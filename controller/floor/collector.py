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
from controller.floor.tasks import end_tasks
from controller.property.subjects import PropertySubjects

MOST_MESSAGES: Final = 64
MOST_BYTES: Final = 1 << 18
LONGEST_WAIT: Final = 0.2
"""The limits of a transaction: how many messages it has, how many bytes before its last message, and how many
seconds may pass between its first message and its begin. They keep statuses from waiting long while a backlog
is stored."""
IDLE: Final = 1.0
"""Seconds without a message after which the collector looks whether the stream has more."""


class Collector:
    """`position`: where the store ends. `report` gets what was not stored, with each transaction."""

    def __init__(
        self,
        stream: JetStreamContext,
        subjects: PropertySubjects,
        projector: Projector,
        position: Position,
        report: Callable[[list[Incident]], None],
    ) -> None:
        self._stream, self._subjects, self._projector = stream, subjects, projector
        self.position, self._report = position, report
        self._again = False
        self._expected = position.seq + 1
        self._log = structlog.get_logger("tableside.floor")

    def read_again(self) -> None:
        """Have the next `run` read the stream from its begin: what was refused before may be stored now."""
        self._again = True

    async def run(self) -> None:
        """Read until the stream has to be read from another place; call it again then. Raises the errors of
        nats."""
        self.position, self._expected = await self._start()
        reading = await self._stream.subscribe(
            self._subjects.journals,
            stream=JOURNAL,
            ordered_consumer=True,
            config=ConsumerConfig(
                deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=self.position.seq + 1
            ),
        )
        messages = _Messages(reading.next_msg)
        try:
            while not self._again:
                received = await messages.take()
                if not received and not await self._has_all():
                    return
                if received and received[0].seq <= self.position.seq:
                    self._log.warning("the stream has lost its end", position=self.position.seq)
                    return
                if received and not self._take(received):
                    return
        finally:
            await messages.close()
            with suppress(nats.errors.Error):
                await reading.unsubscribe()

    async def _has_all(self) -> bool:
        """Whether the stream ends where the store ends. If it does not although no message comes, either the
        stream or this reader has lost its place."""
        state = (await self._stream.stream_info(JOURNAL)).state
        return not state.messages or state.last_seq == self.position.seq

    async def _start(self) -> tuple[Position, int]:
        """The position of the store, or the begin of the stream if that is shorter; and the sequence of the
        next message."""
        state = (await self._stream.stream_info(JOURNAL)).state
        position = Position(self.position.incarnation + 1, max(0, state.first_seq - 1))  # 0 if it is empty
        if self._again:
            self._again = False
        elif state.last_seq >= self.position.seq:
            position = self.position
        else:
            self._log.warning("the stream has lost its end", position=self.position.seq, last=state.last_seq)
        return position, max(position.seq + 1, state.first_seq)

    def _take(self, received: list[ReceivedBatch]) -> bool:
        """Have the messages stored up to the first that does not follow. Returns whether all follow. The
        stream has no gaps, so if one does not follow, a message was lost on its way here."""
        following = [one for place, one in enumerate(received) if one.seq == self._expected + place]
        if following:
            self._projector.take(following, self.position.incarnation, self._report)
            self.position = Position(self.position.incarnation, following[-1].seq)
            self._expected = self.position.seq + 1
        if len(following) < len(received):
            self._log.warning("a message was lost", expected=self._expected)
        return len(following) == len(received)


class _Messages:
    """The messages of a subscription. A wait that is cancelled could lose one, so a wait that takes too long
    goes on at the next `take`."""

    def __init__(self, next_message: Callable[[float | None], Awaitable[Msg]]) -> None:
        self._next_message = next_message
        self._waiting: asyncio.Task[Msg] | None = None

    async def take(self) -> list[ReceivedBatch]:
        """The next messages; none if none came in time."""
        messages, size = list[ReceivedBatch](), 0
        end, loop = IDLE, asyncio.get_running_loop()
        begun = loop.time()
        while len(messages) < MOST_MESSAGES and size < MOST_BYTES:
            message = await self._next(begun + end - loop.time())
            if message is None:
                break
            if not messages:
                begun, end = loop.time(), LONGEST_WAIT
            messages.append(_read(message))
            size += len(message.data)
        return messages

    async def close(self) -> None:
        if self._waiting:
            await end_tasks([self._waiting])

    async def _next(self, seconds: float) -> Msg | None:
        """None if it does not come in time. Raises the errors of nats."""
        waiting = self._waiting or asyncio.ensure_future(self._wait())
        self._waiting = waiting
        await asyncio.wait({waiting}, timeout=max(0.0, seconds))
        if not waiting.done():
            return None
        self._waiting = None
        return waiting.result()

    async def _wait(self) -> Msg:
        return await self._next_message(None)


def _read(message: Msg) -> ReceivedBatch:
    table, epoch = message.subject.split(".")[-2:]
    sequence = message.metadata.sequence.stream
    return ReceivedBatch(JournalName(table, epoch), sequence, message.headers or {}, message.data)
