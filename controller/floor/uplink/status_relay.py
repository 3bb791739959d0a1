"""Passes the statuses that the core signed on to the floor, unchanged. While no server is there, they are
dropped: the next one is whole, and comes within seconds."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

import structlog
from nats.aio.client import Client
from nats.errors import Error as NatsError

from controller.property.signed import SignedMessage, UnsignedError


class StatusRelay:
    """`subject`: that of this table. `client`: the connection, None before there is one."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self._newest: SignedMessage | None = None
        self._news = asyncio.Event()
        self._log = structlog.get_logger("tableside.uplink")
        self.client: Client | None = None

    def take(self, fields: Mapping[str, str]) -> None:
        """A status as the core pushes it."""
        try:
            message = SignedMessage.of_fields(fields)
        except UnsignedError as error:
            self._log.error("status", why=str(error))
            return
        if message.subject != self._subject:
            why = f"the core signs statuses of {message.subject}, and this is the uplink of {self._subject}"
            self._log.error("status", why=why)
            return
        self._newest = message
        self._news.set()

    async def run(self) -> None:
        """Pass on until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            message, self._newest = self._newest, None
            if message and self.client and self.client.is_connected:
                with suppress(NatsError):
                    await self.client.publish(message.subject, message.payload, headers=message.headers())
