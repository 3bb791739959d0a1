"""The kiosk has a port of its own: whoever fills the port of the pages does not keep it out."""

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Self

from controller.demo.reservations import free_port
from controller.monitor import web
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.address import Address
from controller.monitor.server.admission import MOST_PER_ADDRESS
from controller.monitor.server.server import serve_at
from tests.fixtures.core_socket import core_of, linked
from tests.fixtures.table_views import BETTING
from tests.fixtures.waiting import PATIENCE, come_true

HOST = "127.0.0.1"
STREAM = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@asynccontextmanager
async def served(kiosk_port: int, reports: list[str]) -> AsyncIterator[int]:
    """A server with a port for the kiosk. Yields the port of the pages; `reports` gets what it reports."""
    changes = ChangeNotifier()
    async with linked(core_of(lambda: BETTING), changes) as (_, link):
        app = web.build(WebContext(link.client, link.view, changes))
        with Address(HOST, 0, kiosk_port=kiosk_port) as address:
            serving = asyncio.create_task(serve_at(address, app, changes, reports.append))
            try:
                await come_true(lambda: bool(reports))
                yield int(address.url.rsplit(":", 1)[1].strip("/"))
            finally:
                serving.cancel()
                with suppress(asyncio.CancelledError):
                    await serving


class Crowd:
    """Connections that stay open until the end of the block."""

    def __init__(self) -> None:
        self._writers: list[StreamWriter] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for writer in self._writers:
            writer.close()

    async def connect(self, port: int, request: bytes, source: str = HOST) -> StreamReader:
        reader, writer = await asyncio.open_connection(HOST, port, local_addr=(source, 0))
        self._writers.append(writer)
        writer.write(request)
        return reader


async def status_of(reader: StreamReader) -> bytes:
    """The status of the next response; empty if the connection is closed instead."""
    async with asyncio.timeout(PATIENCE):
        try:
            return b"".join((await reader.readline()).split()[1:2])
        except ConnectionResetError:
            return b""


async def test_a_crowd_at_the_pages_neither_keeps_the_kiosk_out_nor_ends_what_it_follows() -> None:
    kiosk_port = free_port()
    async with served(kiosk_port, []) as port, Crowd() as crowd:
        kiosk = await crowd.connect(kiosk_port, STREAM)
        for source in (HOST, *(f"127.5.0.{number}" for number in range(1, 5))):
            for _ in range(2 * MOST_PER_ADDRESS):
                await crowd.connect(port, STREAM, source)
        for _ in range(MOST_PER_ADDRESS):
            reader = await crowd.connect(kiosk_port, HEALTH)
            assert await status_of(reader) == b"200"
        assert await status_of(kiosk) == b"200"
        async with asyncio.timeout(PATIENCE):
            for _ in range(3):
                await kiosk.readuntil(b"event: beat")


async def test_silent_connections_to_the_port_of_the_kiosk_make_room_for_it() -> None:
    kiosk_port = free_port()
    async with served(kiosk_port, []), Crowd() as crowd:
        for source in (HOST, "127.6.0.1"):
            for _ in range(MOST_PER_ADDRESS):
                await crowd.connect(kiosk_port, b"", source)
        assert await status_of(await crowd.connect(kiosk_port, HEALTH)) == b"200"


async def test_a_taken_port_of_the_kiosk_is_reported_and_the_pages_are_served() -> None:
    reports = list[str]()
    with socket.create_server((HOST, 0)) as taken:
        kiosk_port = taken.getsockname()[1]
        async with served(kiosk_port, reports) as port, Crowd() as crowd:
            assert await status_of(await crowd.connect(port, HEALTH)) == b"200"
    why = f"No page can be served at 127.0.0.1 port {kiosk_port}: Address already in use"
    assert set(reports) == {f"{why}. It is tried again every 30 s"}


async def test_the_pages_count_as_reached_once_both_ports_are_open() -> None:
    reports = list[str]()
    async with served(free_port(), reports):
        assert reports == [""]
