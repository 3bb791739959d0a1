"""Passes readings, claims and steps of the core on to the linked progressives, and their amounts to the core.

The relay checks no signature: the core and the progressive do. It keeps the newest message of each name that
the core gave it, and publishes it each second until the servers have stored it. Of each level it passes on
the newest amount that has come while the core took the last one.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from controller.floor.streams import PROGRESSIVE_IN
from controller.process.tasks import end_tasks
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.subjects import PropertySubjects
from controller.socket.core_line import CoreLine
from controller.socket.wire import CallRefused, CoreAway

REPEAT: Final = 1.0
"""Seconds between two attempts to publish, and to wait for the servers' acknowledgement."""
GAP: Final = 0.05
"""Least seconds between two amounts that the core takes."""


class ProgressiveRelay:
    """Between the core of `table` and the progressives of `levels`."""

    def __init__(self, subjects: PropertySubjects, table: str, levels: Iterable[str]) -> None:
        self._incoming = {subjects.amount(level): level for level in levels}
        self._outgoing = {subjects.reading(level, table) for level in levels}
        self._unsent = dict[str, SignedMessage]()
        self._unheard = dict[str, SignedMessage]()
        self._to_send, self._to_hear = asyncio.Event(), asyncio.Event()
        self._client: Client | None = None
        self._log = structlog.get_logger("tableside.uplink")

    def take(self, fields: Mapping[str, str]) -> None:
        """A message as the core pushes it: `name` tells it from the others that wait."""
        try:
            message = SignedMessage.of_fields(fields)
        except UnsignedError as error:
            self._log.error("message to a progressive", why=str(error))
            return
        if message.subject not in self._outgoing:
            allowed = ", ".join(sorted(self._outgoing)) or "none"
            why = f"the core signs messages of {message.subject}; the uplink passes on {allowed}"
            self._log.error("message to a progressive", why=why)
            return
        self._unsent[fields.get("name", "")] = message
        self._to_send.set()

    @asynccontextmanager
    async def open(self, client: Client) -> AsyncIterator[None]:
        """Listen to the amounts inside the block, and publish."""

        async def hear(message: Msg) -> None:
            self._note(message)

        listening = [await client.subscribe(subject, cb=hear) for subject in self._incoming]
        self._client = client
        self._to_send.set()
        try:
            yield
        finally:
            self._client = None
            for subscription in listening:
                with suppress(nats.errors.Error):
                    await subscription.unsubscribe()

    async def run(self, core: CoreLine) -> None:
        """Pass on until cancelled. `core` is a client of the kind uplink."""
        tasks = [asyncio.create_task(self._publish_all()), asyncio.create_task(self._tell_all(core))]
        try:
            await asyncio.gather(*tasks)
        finally:
            await end_tasks(tasks)

    async def _publish_all(self) -> None:
        while True:
            await self._to_send.wait()
            self._to_send.clear()
            for name, message in [*self._unsent.items()]:
                if await self._publish(message) and self._unsent.get(name) is message:
                    del self._unsent[name]
            if self._unsent:
                await asyncio.sleep(REPEAT)
                self._to_send.set()

    async def _publish(self, message: SignedMessage) -> bool:
        """Whether the servers have stored it."""
        client = self._client
        if client is None or not client.is_connected:
            return False
        try:
            await client.jetstream().publish(
                message.subject,
                message.payload,
                timeout=REPEAT,
                stream=PROGRESSIVE_IN,
                headers=message.headers(),
            )
        except (TimeoutError, nats.errors.Error, APIError) as error:
            self._log.warning("not stored", subject=message.subject, why=repr(error))
            return False
        return True

    def _note(self, message: Msg) -> None:
        try:
            amount = SignedMessage.received(message.subject, message.data, message.headers)
        except UnsignedError as error:
            self._log.warning("amount", why=str(error))
            return
        self._unheard[message.subject] = amount
        self._to_hear.set()

    async def _tell_all(self, core: CoreLine) -> None:
        while True:
            await self._to_hear.wait()
            self._to_hear.clear()
            waiting, self._unheard = self._unheard, {}
            for amount in waiting.values():
                with suppress(CallRefused, CoreAway):  # the next one comes within a second
                    await core.call("amount", {"signed": amount.fields()})
            await asyncio.sleep(GAP)
