"""A link between a program and a server, which a drill holds up."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from controller.demo.reservations import free_port
from controller.floor.drills.link import LOOPBACK, Link, link
from tests.fixtures.waiting import come_true

SHORT = 0.1
"""Seconds in which nothing arrives."""


class Server:
    """It repeats each line. `heard`: the lines."""

    def __init__(self) -> None:
        self.heard = list[bytes]()
        self.ended = 0

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        while line := await reader.readline():
            self.heard.append(line)
            writer.write(line)
        writer.close()
        self.ended += 1


@asynccontextmanager
async def linked_server() -> AsyncIterator[tuple[Link, Server]]:
    """All its connections have ended after the block."""
    found = Server()
    server = await asyncio.start_server(found.serve, LOOPBACK)
    async with server:
        async with link([server.sockets[0].getsockname()[1]]) as way:
            yield way, found
        await come_true(lambda: found.ended > 0)


@asynccontextmanager
async def connected(way: Link) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    (address,) = way.addresses
    reader, writer = await asyncio.open_connection(LOOPBACK, int(address.rsplit(":", 1)[1]))
    try:
        yield reader, writer
    finally:
        writer.close()
        await asyncio.wait({asyncio.create_task(writer.wait_closed())})


async def test_nothing_passes_a_link_that_is_held() -> None:
    async with linked_server() as (way, server), connected(way) as (reader, writer):
        writer.write(b"one\n")
        assert await reader.readline() == b"one\n"
        way.hold()
        writer.write(b"two\n")
        await asyncio.sleep(SHORT)
        assert server.heard == [b"one\n"]
        way.release()
        assert await reader.readline() == b"two\n"


async def test_what_was_sent_before_a_program_gave_up_arrives_late() -> None:
    async with linked_server() as (way, server):
        async with connected(way) as (reader, writer):
            writer.write(b"one\n")
            assert await reader.readline() == b"one\n"
            way.hold()
            writer.write(b"two\n")
        await asyncio.sleep(SHORT)
        assert server.heard == [b"one\n"]
        assert not server.ended
        way.release()
        await come_true(lambda: server.heard == [b"one\n", b"two\n"])


async def test_a_link_holds_from_the_bytes_on_for_which_it_waits() -> None:
    async with linked_server() as (way, server), connected(way) as (reader, writer):
        way.hold_at(b"PUB log")
        writer.write(b"PUB other\n")
        assert await reader.readline() == b"PUB other\n"
        writer.write(b"PUB log 3\n")
        await come_true(lambda: way.held)
        assert server.heard == [b"PUB other\n"]
        way.release()
        assert await reader.readline() == b"PUB log 3\n"
        writer.write(b"PUB log 4\n")
        assert await reader.readline() == b"PUB log 4\n"


async def test_a_connection_that_begins_while_a_link_is_held_is_made_when_it_is_released() -> None:
    async with linked_server() as (way, server):
        way.hold()
        async with connected(way) as (reader, writer):
            writer.write(b"one\n")
            await asyncio.sleep(SHORT)
            assert server.heard == []
            way.release()
            assert await reader.readline() == b"one\n"


async def test_a_server_that_does_not_run_ends_the_connection() -> None:
    async with link([free_port()]) as way, connected(way) as (reader, _):
        assert await reader.read() == b""


async def test_connections_end_with_a_link_that_is_held() -> None:
    async with linked_server() as (way, _), connected(way) as (reader, writer):
        writer.write(b"one\n")
        assert await reader.readline() == b"one\n"
        way.hold()
        await way.close()
        assert await reader.read() == b""
