"""Takes the statuses of all tables from the servers: the last of each when the floor starts, and then each
new one. A status counts only if the key that was pinned for its table has signed it."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig, DeliverPolicy

from controller.floor.ordered_consumer import ordered_consumer
from controller.floor.streams import STATUS
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture
from controller.property.signed import KEY, SIGNATURE, SignedMessage, UnsignedError
from controller.property.status import StatusError, read_status, read_uplink_status
from controller.property.subjects import PropertySubjects

FILL_LIMIT: Final = 5.0
"""Seconds to wait for the next of the last statuses."""


class StatusSubscriber:
    """`keys`: the public keys that are pinned for a table; none for a table that is not admitted. `clock`:
    seconds of Unix time. `on_change` is called when the picture may look different."""

    def __init__(
        self,
        client: Client,
        subjects: PropertySubjects,
        picture: FloorPicture,
        keys: Callable[[str], Collection[bytes]],
        clock: Callable[[], float],
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._client, self._subjects, self._picture = client, subjects, picture
        self._keys, self._clock, self._on_change = keys, clock, on_change
        self._log = structlog.get_logger("tableside.floor")
        self.taken = 0
        self.refused = 0
        """Statuses that were not what the table must send."""
        self.unadmitted = 0
        """Statuses of tables without a pinned key."""

    async def run(self) -> None:
        """Take statuses until cancelled. Raises the errors of nats."""
        reading = await self._client.subscribe(self._subjects.statuses)
        try:
            await self._fill()
            async for message in reading.messages:
                self._take(message, self._clock())
        finally:
            await reading.unsubscribe()

    async def _fill(self) -> None:
        """Take the last status of each table. Without them the floor waits for the next ones."""
        stream = self._client.jetstream()
        try:
            if not (await stream.stream_info(STATUS)).state.messages:
                return
            config = ConsumerConfig(deliver_policy=DeliverPolicy.LAST_PER_SUBJECT)
            async with ordered_consumer(stream, STATUS, self._subjects.statuses, config) as last:
                waiting = 1
                while waiting:
                    message = await last.next_msg(timeout=FILL_LIMIT)
                    self._take(message, message.metadata.timestamp.timestamp())
                    waiting = message.metadata.num_pending
        except (nats.errors.Error, TimeoutError) as error:
            self._log.warning("the last statuses cannot be read", why=str(error) or type(error).__name__)

    def _take(self, message: Msg, received: float) -> None:
        table = message.subject.rpartition(".")[2]
        pinned = self._keys(table)
        if not pinned:
            self.unadmitted += 1
            return
        try:
            self._read(table, message, pinned, received)
        except (UnsignedError, StatusError) as error:
            self.refused += 1
            self._log.warning("status refused", table=table, why=str(error))
            self._picture.report(FloorCause("refused", table), str(error), self._clock())
        else:
            self.taken += 1
        self._on_change()

    def _read(self, table: str, message: Msg, pinned: Collection[bytes], received: float) -> None:
        """Raises UnsignedError, StatusError."""
        headers, now = message.headers, self._clock()
        if not _claims_a_signature(headers):
            self._picture.take_uplink(table, read_uplink_status(message.data), received, now)
            return
        payload = SignedMessage.received(message.subject, message.data, headers).verify(pinned)
        self._picture.take_status(table, read_status(payload), received, now)


def _claims_a_signature(headers: Mapping[str, str] | None) -> bool:
    return any(name in (headers or {}) for name in (KEY, SIGNATURE))
