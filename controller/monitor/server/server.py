"""Serves the application in the daemon's own event loop."""

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
    """Serve from the moment that the address is available until cancelled. `report` is called as
    `ReportReachability` says."""
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
    """Serve until cancelled, then end the followers' streams and close `listener`."""
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
        * MOST_CONNECTIONS,  # requests; that of a client that disconnected counts for a moment
        timeout_graceful_shutdown=1,
    )
    config.load()
    return config


class WebServer(uvicorn.Server):
    """A uvicorn server whose connections come from `Acceptor`. It wakes up once a second; uvicorn wakes up
    ten times."""

    def __init__(self, config: uvicorn.Config, tls: ssl.SSLContext | None) -> None:
        super().__init__(config)
        self._tls = tls
        self._admission = Admission(time.monotonic)
        self._stopping = asyncio.Event()
        self._acceptor: Acceptor | None = None

    def stop(self) -> None:
        """Request the end; `main_loop` returns soon after."""
        self.should_exit = True
        self._stopping.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections on the first socket."""
        listener = (sockets or [])[0]
        self.servers = []
        await self.on_tick(0)
        self._acceptor = Acceptor(listener, self._admission, self._connection, self._tls)
        self.started = True

    async def main_loop(self) -> None:
        """Run until `stop` is called."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await self._stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections, and end the open ones."""
        if self._acceptor:
            self._acceptor.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture nothing, because the daemon handles signals."""
        yield

    def _connection(self, slot: ConnectionSlot) -> Connection:
        return Connection(self.config, self.server_state, self._admission, slot)
