"""Connections that are opened and left: nobody else has to wait for them."""

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from controller.monitor.server import connection
from controller.monitor.server.admission import MOST_OF_ONE
from tests.fixtures.waiting import PATIENCE, come_true
from tests.fixtures.web_server import House, open_house

LITTLE = 0.3
"""Seconds that a client has in these tests."""


@asynccontextmanager
async def opened(house: House, text: bytes = b"") -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    """A connection on which so much was sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port, limit=1)
    writer.write(text)
    try:
        yield reader, writer
    finally:
        writer.close()


async def ended(reader: StreamReader) -> None:
    """The other side has sent it away; raises TimeoutError."""
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
async def test_who_does_not_go_on_is_sent_away(monkeypatch: pytest.MonkeyPatch, begun: bytes) -> None:
    monkeypatch.setattr(connection, "PATIENCE", LITTLE)
    async with open_house() as house, opened(house, begun) as (reader, _):
        await ended(reader)


async def test_a_page_that_is_read_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "PATIENCE", LITTLE)
    async with open_house(beat=0.1) as house, house.client.stream("GET", "/events") as response:
        heard = response.aiter_text()
        async with asyncio.timeout(PATIENCE):
            begun = asyncio.get_running_loop().time()
            while asyncio.get_running_loop().time() - begun < 4 * LITTLE:
                await anext(heard)


async def test_answers_that_nobody_reads_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "PATIENCE", LITTLE)
    gone = watched(monkeypatch)
    request = b"GET /static/vendor/htmx.min.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    async with open_house() as house:
        with socket.socket() as lazy:
            lazy.connect(("127.0.0.1", house.port))
            lazy.sendall(request * 400)
            await come_true(lambda: bool(gone))


def watched(monkeypatch: pytest.MonkeyPatch) -> list[connection.Visit]:
    """Connections that are gone, as they go."""
    gone: list[connection.Visit] = []
    whole = connection.Visit.connection_lost

    def lost(one: connection.Visit, error: Exception | None) -> None:
        gone.append(one)
        whole(one, error)

    monkeypatch.setattr(connection.Visit, "connection_lost", lost)
    return gone


async def test_one_address_does_not_have_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 10 * PATIENCE)
    gone = watched(monkeypatch)
    async with open_house() as house:
        left = [await asyncio.open_connection("127.0.0.1", house.port) for _ in range(100)]
        over = [asyncio.create_task(ended(reader)) for reader, _ in left]
        await come_true(lambda: sum(each.done() for each in over) == len(left) - MOST_OF_ONE)
        for each, (_, writer) in zip(over, left, strict=True):
            each.cancel()
            writer.close()
        await asyncio.gather(*over, return_exceptions=True)
        await come_true(lambda: len(gone) >= MOST_OF_ONE)
        assert (await house.client.get("/health")).status_code == 200
