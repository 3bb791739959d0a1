"""Connections that are opened and left do not make others wait."""

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from controller.monitor.server import connection
from controller.monitor.server.admission import MOST_PER_ADDRESS
from tests.fixtures.waiting import PATIENCE, come_true
from tests.fixtures.web_server import WebServer, web_server

LITTLE = 0.3
"""Seconds that a client has in these tests."""


@asynccontextmanager
async def opened(house: WebServer, text: bytes = b"") -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    """A connection on which these bytes were sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port, limit=1)
    writer.write(text)
    try:
        yield reader, writer
    finally:
        writer.close()


async def ended(reader: StreamReader) -> None:
    """Waits until the other side has closed it; raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        try:
            while await reader.read(1 << 16):
                continue
        except ConnectionResetError:
            return


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /hea",
        b"POST /api/v1/keys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET",
    ],
)
async def test_a_connection_that_stops_in_a_request_is_closed(
    monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(connection, "IDLE_LIMIT", LITTLE)
    async with web_server() as house, opened(house, begun) as (reader, _):
        await ended(reader)


async def test_a_connection_that_reads_its_stream_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "IDLE_LIMIT", LITTLE)
    async with web_server(beat=0.1) as house, house.client.stream("GET", "/events") as response:
        heard = response.aiter_text()
        async with asyncio.timeout(PATIENCE):
            begun = asyncio.get_running_loop().time()
            while asyncio.get_running_loop().time() - begun < 4 * LITTLE:
                await anext(heard)


async def test_a_connection_that_reads_no_answer_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "IDLE_LIMIT", LITTLE)
    gone = watched(monkeypatch)
    request = b"GET /static/vendor/htmx.min.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    async with web_server() as house:
        with socket.socket() as lazy:
            lazy.connect(("127.0.0.1", house.port))
            lazy.sendall(request * 400)
            await come_true(lambda: bool(gone))


def watched(monkeypatch: pytest.MonkeyPatch) -> list[connection.Connection]:
    """Closed connections, in the order of their ends."""
    gone: list[connection.Connection] = []
    whole = connection.Connection.connection_lost

    def lost(one: connection.Connection, error: Exception | None) -> None:
        gone.append(one)
        whole(one, error)

    monkeypatch.setattr(connection.Connection, "connection_lost", lost)
    return gone


async def test_one_address_cannot_hold_every_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "IDLE_LIMIT", 10 * PATIENCE)
    gone = watched(monkeypatch)
    async with web_server() as house:
        left = [await asyncio.open_connection("127.0.0.1", house.port) for _ in range(100)]
        over = [asyncio.create_task(ended(reader)) for reader, _ in left]
        await come_true(lambda: sum(each.done() for each in over) == len(left) - MOST_PER_ADDRESS)
        for each, (_, writer) in zip(over, left, strict=True):
            each.cancel()
            writer.close()
        await asyncio.gather(*over, return_exceptions=True)
        await come_true(lambda: len(gone) >= MOST_PER_ADDRESS)
        assert (await house.client.get("/health")).status_code == 200
