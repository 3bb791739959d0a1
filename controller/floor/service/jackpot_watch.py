"""Takes the amounts that the linked progressives announce, and the alarms in their logs."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig, DeliverPolicy

from controller.floor.ordered_consumer import ordered_consumer
from controller.floor.streams import PROGRESSIVE_LOG
from controller.floor.tables.alert_kinds import FloorAlertKind
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture
from controller.jackpot.linked.entries import Alarm, read_entry
from controller.jackpot.linked.messages import read_amount
from controller.jackpot.linked.wire import MalformedMessage
from controller.process.tasks import run_parts
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.subjects import PropertySubjects

ANY: Final = "*"
PAUSE: Final = 5.0
"""Seconds after an error of the servers."""


class JackpotWatch:
    """`keys`: the public keys of the linked progressives. `clock`: seconds of Unix time. An amount counts
    only if one of the keys has signed it; the log counts, because only the services of the levels may write
    it."""

    def __init__(
        self,
        client: Client,
        subjects: PropertySubjects,
        picture: FloorPicture,
        keys: Collection[bytes],
        clock: Callable[[], float],
    ) -> None:
        self._client, self._subjects, self._picture = client, subjects, picture
        self._keys, self._clock = keys, clock
        self._present = frozenset[FloorCause]()
        self._log = structlog.get_logger("tableside.floor")

    async def run(self) -> None:
        """Until cancelled."""
        await run_parts([self._again(self._follow_amounts), self._again(self._follow_logs)])

    def look(self) -> None:
        """To be called once a second: report what has begun, and the end of what is over."""
        now = self._clock()
        found = dict(self._picture.jackpots.faults(now)) if self._keys else {}
        for cause in self._present - found.keys():
            self._picture.report(cause, "", now)
        for cause, text in found.items():
            self._picture.report(cause, text, now)
        self._present = frozenset(found)

    async def _again(self, follow: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await follow()
            except (nats.errors.Error, TimeoutError) as error:
                self._log.warning("linked progressives", why=str(error) or type(error).__name__)
            await asyncio.sleep(PAUSE)

    async def _follow_amounts(self) -> None:
        reading = await self._client.subscribe(self._subjects.amount(ANY))
        try:
            async for message in reading.messages:
                self._take_amount(message)
        finally:
            await reading.unsubscribe()

    def _take_amount(self, message: Msg) -> None:
        if not self._keys:
            return
        try:
            signed = SignedMessage.received(message.subject, message.data, message.headers)
            amount = read_amount(signed.verify(self._keys))
        except (UnsignedError, MalformedMessage) as error:
            self._log.warning("amount refused", subject=message.subject, why=str(error))
            return
        if message.subject == self._subjects.amount(amount.level):
            self._picture.jackpots.take(amount, self._clock())

    async def _follow_logs(self) -> None:
        """The entries from now on. What lasts from before is in the amounts."""
        stream = self._client.jetstream()
        subject = self._subjects.progressive_log(ANY)
        config = ConsumerConfig(deliver_policy=DeliverPolicy.NEW)
        async with ordered_consumer(stream, PROGRESSIVE_LOG, subject, config) as reading:
            async for message in reading.messages:
                self._take_entry(message)

    def _take_entry(self, message: Msg) -> None:
        level = message.subject.rpartition(".")[2]
        try:
            entry = read_entry(message.data)
        except MalformedMessage as error:
            self._log.warning("entry of a linked progressive", level=level, why=str(error))
            return
        for outcome in entry.out:
            if isinstance(outcome, Alarm) and (kind := ALARMS.get(outcome.code)):
                cause = FloorCause(kind, outcome.table, level)
                self._picture.report(cause, f"Progressive {level}: {outcome.why}", self._clock())


ALARMS: Final[Mapping[str, FloorAlertKind]] = {"unreasonable": "unreasonable", "signature": "refused"}
"""Alarms of a log that are single events. That a meter fell is in the amounts as long as it lasts."""
