"""Serves the application in the event loop of the process."""

import asyncio
import logging
import socket
import ssl
import time
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.acceptor import Acceptor
from controller.monitor.server.address import Address, PortReports, ReportReachability
from controller.monitor.server.admission import (
    MOST_CONNECTIONS,
    Admission,
    ConnectionSlot,
    kiosk_party,
    party_of,
)
from controller.monitor.server.connection import Connection, DateHeader
from controller.monitor.server.limited_log import LimitedLog


async def serve_at(
    address: Address, app: ASGIApp, changes: ChangeNotifier, report: ReportReachability
) -> None:
    """Serve at each port of `address`, from the moment that it is available, until cancelled. `report` is
    called as `ReportReachability` says."""
    reports = PortReports(report, len(address.ports))
    parties = (party_of, kiosk_party)
    async with _running(app, changes) as (server, running):
        await _all_or_none(
            _open(server, port, Admission(time.monotonic, party), reports.of(number))
            for number, (port, party) in enumerate(zip(address.ports, parties, strict=False))
        )
        await asyncio.shield(running)


async def serve(
    app: ASGIApp, changes: ChangeNotifier, listener: socket.socket, tls: ssl.SSLContext | None = None
) -> None:
    """Serve until cancelled, then end the followers' streams and close `listener`."""
    async with _running(app, changes) as (server, running):
        server.accept(listener, tls, Admission(time.monotonic))
        await asyncio.shield(running)


async def _open(server: "WebServer", port: Address, admission: Admission, report: ReportReachability) -> None:
    """Accept connections at this port as soon as it is available. Returns once the computer has its
    address."""
    server.accept(await port.listening_socket(report), port.tls, admission)
    await port.wait_until_assigned(report)


@asynccontextmanager
async def _running(
    app: ASGIApp, changes: ChangeNotifier
) -> AsyncIterator[tuple["WebServer", asyncio.Task[None]]]:
    """A server and its task, both of which end with the block."""
    server = WebServer(_configuration(app))
    running = asyncio.create_task(server.serve_until_stopped())
    try:
        yield server, running
    finally:
        changes.close()
        server.stop()
        await running


async def _all_or_none(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run all of it. If one part fails or the caller is cancelled, all parts end."""
    parts = [asyncio.create_task(each) for each in work]
    try:
        await asyncio.gather(*parts)
    finally:
        for part in parts:
            part.cancel()
        await asyncio.wait(parts)


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
    """A uvicorn server whose connections come from `Acceptor`."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.servers = []
        self.lifespan = config.lifespan_class(config)
        self._date = DateHeader(self.server_state)
        self._log = LimitedLog(logging.getLogger("uvicorn.error"))
        self._stopping = asyncio.Event()
        self._acceptors: list[Acceptor] = []

    def accept(self, listener: socket.socket, tls: ssl.SSLContext | None, admission: Admission) -> None:
        """Accept connections from this listener, which the server closes when it ends."""

        def protocol(slot: ConnectionSlot) -> Connection:
            return Connection(self.config, self.server_state, self._date, self._log, admission, slot)

        self._acceptors.append(Acceptor(listener, admission, protocol, tls))

    def stop(self) -> None:
        """Request the end; `serve_until_stopped` returns soon after."""
        self._stopping.set()

    async def serve_until_stopped(self) -> None:
        """Serve until `stop` is called. Takes the place of uvicorn's `serve`, which handles signals and wakes
        up ten times a second."""
        await self._stopping.wait()
        for acceptor in self._acceptors:
            acceptor.close()
        await self.shutdown()
