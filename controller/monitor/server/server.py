"""Serving the application inside the daemon's own event loop."""

import asyncio
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn
from starlette.types import ASGIApp

from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.acceptor import Acceptor
from controller.monitor.server.address import Address, ReportReachability
from controller.monitor.server.admission import MOST_CONNECTIONS, Admission, ConnectionSlot
from controller.monitor.server.connection import Connection

TICK = 1.0
"""Seconds between two updates of the Date header."""


async def serve_at(
    address: Address, app: ASGIApp, changes: ChangeNotifier, report: ReportReachability
) -> None:
    """Serve until cancelled, as soon as the address is available; `report` receives a sentence until then."""
    listener = await address.listening_socket(report)
    presence = asyncio.create_task(address.wait_until_assigned(report))
    try:
        await serve(app, changes, listener, address.tls)
    finally:
        presence.cancel()
        await asyncio.wait({presence})


async def serve(
    app: ASGIApp, changes: ChangeNotifier, listener: socket.socket, tls: ssl.SSLContext | None = None
) -> None:
    """Serves until cancelled, then ends the followers' streams and closes `listener`."""
    server = WebServer(_configuration(app), tls)
    serving = asyncio.create_task(server.serve([listener]))
    try:
        await asyncio.shield(serving)
    finally:
        changes.close()
        server.stop()
        await serving


def _configuration(app: ASGIApp) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=2
        * MOST_CONNECTIONS,  # of requests: a client that went away leaves one behind for a moment
        timeout_graceful_shutdown=1,
    )
    config.load()
    return config


class WebServer(uvicorn.Server):
    """A uvicorn server whose connections come from `Acceptor`. It wakes up once a second, not ten times."""

    def __init__(self, config: uvicorn.Config, tls: ssl.SSLContext | None) -> None:
        super().__init__(config)
        self._tls = tls
        self._admission = Admission(time.monotonic)
        self._stopping = asyncio.Event()
        self._acceptor: Acceptor | None = None

    def stop(self) -> None:
        """Stop soon."""
        self.should_exit = True
        self._stopping.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections."""
        listener = (sockets or [])[0]
        self.servers = []
        await self.on_tick(0)
        self._acceptor = Acceptor(listener, self._admission, self._connection, self._tls)
        self.started = True

    async def main_loop(self) -> None:
        """Run until it is stopped."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await self._stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and end the open ones."""
        if self._acceptor:
            self._acceptor.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the daemon's."""
        yield

    def _connection(self, slot: ConnectionSlot) -> Connection:
        return Connection(self.config, self.server_state, self._admission, slot)
