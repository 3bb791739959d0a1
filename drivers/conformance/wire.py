"""The line to the device under test, with the probe's clock."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

from drivers.errors import Absent
from drivers.ports.transport import Transport

TRY_AGAIN = 0.2
SHORTEST = 0.0005
"""Seconds, so that the loop looks at the port even if no time is left."""


class Wire(Protocol):
    """Bytes to and from one device. A test's wire may have a virtual clock."""

    def now(self) -> float:
        """Seconds since any fixed moment."""

    def write(self, data: bytes) -> None: ...

    async def read(self, until: float) -> bytes:
        """What came; empty at `until`. Raises Absent if the port is gone."""

    async def reopen(self, within: float) -> None:
        """Opens the port again if the device restarted. Raises Absent."""


class PortWire:
    """A real port. `opened` opens it, also after a device on USB has restarted."""

    def __init__(self, opened: Callable[[], Awaitable[Transport]]) -> None:
        self._opened = opened
        self._port: Transport | None = None
        self._ready = asyncio.Event()
        self._early = b""

    async def open(self) -> None:
        """Raises Absent."""
        self._port = await self._opened()
        self._ready.clear()
        self._port.watch(self._ready.set)

    async def close(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            await port.close()

    def now(self) -> float:
        """Seconds of the monotonic clock."""
        return time.monotonic()

    def write(self, data: bytes) -> None:
        self._open_port().write(data)

    async def read(self, until: float) -> bytes:
        port = self._open_port()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ready.wait(), max(SHORTEST, until - self.now()))
        if not self._ready.is_set():
            return b""
        self._ready.clear()  # the loop sets it again while there is more
        data, self._early = self._early + port.read(), b""
        return data

    async def reopen(self, within: float) -> None:
        until = self.now() + within
        while True:
            try:
                port = self._open_port()
                if self._ready.is_set():
                    self._early += port.read()
                return
            except Absent:
                await self.close()
                if self.now() >= until:
                    raise
            await asyncio.sleep(TRY_AGAIN)
            with suppress(Absent):
                await self.open()

    def _open_port(self) -> Transport:
        if self._port is None:
            raise Absent("the port is closed")
        return self._port
