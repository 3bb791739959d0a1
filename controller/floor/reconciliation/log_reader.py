"""Reads the logs of the linked progressives into the ledger."""

from collections.abc import Callable, Collection
from typing import Final

from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, DeliverPolicy

from controller.floor.message_batches import MessageBatches
from controller.floor.ordered_consumer import ordered_consumer
from controller.floor.reconciliation.ledger import Ledger
from controller.floor.streams import PROGRESSIVE_LOG
from controller.jackpot.linked.entries import LogEntry, NotNext, read_entry

IDLE: Final = 5.0
"""Seconds without a message after which to look whether the stream has more."""


class ProgressiveLogReader:
    """`subject`: of the logs of all levels; those of other levels than `levels` are left out. `on_read` is
    called each time the ledger has everything that has come; `idle`: as IDLE."""

    def __init__(
        self,
        stream: JetStreamContext,
        subject: str,
        levels: Collection[str],
        ledger: Ledger,
        on_read: Callable[[], None],
        idle: float = IDLE,
    ) -> None:
        self._stream, self._subject, self._levels = stream, subject, levels
        self._ledger, self._on_read, self._idle = ledger, on_read, idle
        self._created: object = None
        self._refused: int | None = None
        """After which sequence an entry did not follow."""

    async def run(self) -> None:
        """Read until the logs have to be read from another place; call it again then. Raises NotNext when the
        stream has another history than the ledger, which is then empty; MalformedMessage; and the errors of
        nats."""
        info = await self._stream.stream_info(PROGRESSIVE_LOG)
        self._created, last, read = info.created, info.state.last_seq, self._ledger.sequence
        if last < read:
            self._ledger.clear()
            raise NotNext(f"{PROGRESSIVE_LOG} ends with message {last}; read: up to message {read}")
        config = ConsumerConfig(deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=read + 1)
        async with (
            ordered_consumer(self._stream, PROGRESSIVE_LOG, self._subject, config) as reading,
            MessageBatches(reading.next_msg, self._idle) as messages,
        ):
            while True:
                received = await messages.take()
                if not (self._take(received) if received else await self._has_all()):
                    return
                self._on_read()

    async def _has_all(self) -> bool:
        """Whether it is the same stream, and ends where the ledger ends. If it does not although no message
        comes, this reader has lost its place."""
        info = await self._stream.stream_info(PROGRESSIVE_LOG)
        return (info.created, info.state.last_seq) == (self._created, self._ledger.sequence)

    def _take(self, received: list[Msg]) -> bool:
        """Whether they follow. A message that was lost on its way comes again, so only the second refusal
        after the same message means another history. Raises NotNext, MalformedMessage."""
        entries = [(level, entry) for level, entry in map(_read, received) if level in self._levels]
        sequence = self._ledger.sequence
        try:
            self._ledger.take(entries, received[-1].metadata.sequence.stream)
        except NotNext:
            if self._refused == sequence:
                self._ledger.clear()
                raise
            self._refused = sequence
            return False
        self._refused = None
        return True


def _read(message: Msg) -> tuple[str, LogEntry]:
    """The level, and the next entry of its log. Raises MalformedMessage."""
    return message.subject.rpartition(".")[2], read_entry(message.data)
