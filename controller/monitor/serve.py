"""Serving the application inside the daemon's own event loop."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from controller.monitor.address import Address, Report
from controller.monitor.changes import Changes
from controller.monitor.visit import Visit

MOST_CONNECTIONS = 64
"""So many that no pit runs out of them, so few that the devices' ports never run out of descriptors."""


async def serve_at(address: Address, app: ASGIApp, changes: Changes, report: Report) -> None:
    """Serves until cancelled, from when the address can be had; `report` is told while it cannot."""
    listener = await address.bound(report)
    looking = asyncio.create_task(address.present(report))
    try:
        await serve(app, changes, listener, address.tls)
    finally:
        looking.cancel()
        await asyncio.wait({looking})


async def serve(
    app: ASGIApp, changes: Changes, listener: socket.socket, tls: ssl.SSLContext | None = None
) -> None:
    """Serves until cancelled, then ends the followers' streams and closes `listener`."""
    server = _Server(_configuration(app, tls))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await asyncio.shield(serving)
    finally:
        changes.close()
        server.should_exit = True
        await serving


def _configuration(app: ASGIApp, tls: ssl.SSLContext | None) -> uvicorn.Config:
    made = uvicorn.Config(
        app,
        http=Visit,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    made.load()
    made.ssl = tls
    return made


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the daemon's."""
        yield
