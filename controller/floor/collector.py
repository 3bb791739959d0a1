"""Reads the stream of journals from where the store ends, and hands what arrives to the projector."""

from collections.abc import Callable
from typing import Final

import structlog
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, DeliverPolicy

from controller.floor.day_file import JournalName, Position
from controller.floor.message_batches import MessageBatches
from controller.floor.ordered_consumer import ordered_consumer
from controller.floor.projector import Incident, Projector, ReceivedBatch
from controller.floor.streams import JOURNAL
from controller.property.subjects import PropertySubjects

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
        config = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=self.position.seq + 1
        )
        async with (
            ordered_consumer(self._stream, JOURNAL, self._subjects.journals, config) as reading,
            MessageBatches(reading.next_msg, IDLE) as messages,
        ):
            while not self._again:
                received = list(map(_read, await messages.take()))
                if not received and not await self._has_all():
                    return
                if received and received[0].seq <= self.position.seq:
                    self._log.warning("the stream has lost its end", position=self.position.seq)
                    return
                if received and not self._take(received):
                    return

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


def _read(message: Msg) -> ReceivedBatch:
    table, epoch = message.subject.split(".")[-2:]
    sequence = message.metadata.sequence.stream
    return ReceivedBatch(JournalName(table, epoch), sequence, message.headers or {}, message.data)
