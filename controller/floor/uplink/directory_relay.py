"""Passes the directories of the floor on to the core of the table, unchanged.

The stream DIRECTORY has the last one. The relay reads it when the servers are back, and passes it on again
when the core is back: the core knows which one it has, and refuses an older one.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError, NotFoundError

from controller.floor.streams import DIRECTORY
from controller.process.tasks import end_tasks
from controller.property.signed import SignedMessage, UnsignedError
from controller.socket.core_line import CoreLine
from controller.socket.wire import CallRefused, CoreAway

ANSWER_LIMIT: Final = 2.0
PAUSE: Final = 2.0
"""Seconds until another attempt to read the stream."""


class DirectoryRelay:
    """`core` is a client of the kind uplink; `subject`: of the table's directory."""

    def __init__(self, core: CoreLine, subject: str) -> None:
        self._core, self._subject = core, subject
        self._newest: SignedMessage | None = None
        self._news, self._arrived = asyncio.Event(), asyncio.Event()
        self._refused = ""
        self._log = structlog.get_logger("tableside.uplink")

    def arrived(self) -> None:
        """A connection to the servers was made."""
        self._arrived.set()

    def repeat(self) -> None:
        """Another core may be there."""
        self._news.set()

    async def run(self) -> None:
        """Pass on until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._newest and self._core.connected:
                await self._pass_on(self._newest)

    @asynccontextmanager
    async def open(self, client: Client) -> AsyncIterator[None]:
        """Take what the floor sends inside the block. Raises the errors of nats."""
        listening = await client.subscribe(self._subject, cb=self._on_message)
        reading = asyncio.create_task(self._follow(client), name="directories")
        try:
            yield
        finally:
            await end_tasks([reading])
            with suppress(nats.errors.Error):
                await listening.unsubscribe()

    async def _follow(self, client: Client) -> None:
        """Read the stream after each connection that was made."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            await self._read(client)

    async def _on_message(self, message: Msg) -> None:
        self._take(message.data, message.headers)

    async def _read(self, client: Client) -> None:
        """Take the last message of the stream, unless a newer one comes meanwhile. Asks until the servers
        answer."""
        while True:
            before = self._newest
            try:
                async with asyncio.timeout(ANSWER_LIMIT):
                    found = await client.jetstream().get_last_msg(DIRECTORY, self._subject, direct=True)
            except NotFoundError:
                return
            except (nats.errors.Error, APIError, TimeoutError) as error:
                self._log.info("the last directory cannot be read", why=repr(error))
                await asyncio.sleep(PAUSE)
                continue
            if self._newest is before:
                self._take(found.data or b"", found.headers)
            return

    def _take(self, payload: bytes, headers: Mapping[str, str] | None) -> None:
        try:
            self._newest = SignedMessage.received(self._subject, payload, headers)
        except UnsignedError as error:
            self._note(str(error))
            return
        self._news.set()

    async def _pass_on(self, message: SignedMessage) -> None:
        try:
            reply = await self._core.call("act", {"signed": message.fields()})
            self._note("" if reply["ok"] else reply["reason"])
        except CallRefused as refused:
            self._note(refused.message)
        except CoreAway:
            return  # `repeat` follows when it is back

    def _note(self, why: str) -> None:
        """Log each reason once: directories come again and again."""
        if why and why != self._refused:
            self._log.warning("directory refused", why=why)
        self._refused = why
