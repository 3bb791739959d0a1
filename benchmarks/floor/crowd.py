"""Displays that only receive: connections in a process of their own, each of which subscribes to one subject
and reads what comes. A thousand clients of the library in one process would measure that process.

As a program: the arguments are the ports of the servers on loopback, with commas; the subject; and how many
connections. It prints an empty line when all of them have subscribed, and how many messages came to all of
them when its standard input ends.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle, islice
from typing import Final

HOST: Final = "127.0.0.1"
HELLO: Final = b'CONNECT {"verbose":false,"pedantic":false,"headers":true,"lang":"crowd","version":"1"}\r\n'
MESSAGE: Final = b"HMSG "
PING: Final = b"PING\r\n"
PONG: Final = b"PONG\r\n"
CONNECTING: Final = 50
"""Connections that are made at the same time."""


class Display(asyncio.Protocol):
    """One connection. `ready` is done when the server has its subscription."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self._transport: asyncio.Transport | None = None
        self.ready = asyncio.get_running_loop().create_future()
        self.messages = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(HELLO + f"SUB {self._subject} 1\r\n".encode() + PING)

    def data_received(self, data: bytes) -> None:
        """Parts of a message that come one by one are counted once; a word of the protocol that is split is
        not seen, which loses few messages of many."""
        self.messages += data.count(MESSAGE)
        if PONG in data and not self.ready.done():
            self.ready.set_result(None)
        if PING in data and self._transport:
            self._transport.write(PONG)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(exc or ConnectionError("the server ended the connection"))


async def _watch(ports: list[int], subject: str, number: int) -> int:
    """How many messages came until standard input ended."""
    loop, places = asyncio.get_running_loop(), asyncio.Semaphore(CONNECTING)
    displays = list[Display]()

    async def connect(port: int) -> None:
        async with places:
            _, display = await loop.create_connection(lambda: Display(subject), HOST, port)
            displays.append(display)
            await display.ready

    await asyncio.gather(*map(connect, islice(cycle(ports), number)))
    print(flush=True)
    await asyncio.to_thread(sys.stdin.read)
    return sum(display.messages for display in displays)


class Crowd:
    """`messages`: how many came to all displays, known after the block in which they watch."""

    messages = 0


@asynccontextmanager
async def crowd(ports: list[int], subject: str, number: int) -> AsyncIterator[Crowd]:
    """So many displays watch inside the block."""
    words = (",".join(map(str, ports)), subject, str(number))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "benchmarks.floor.crowd", *words),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout
    found = Crowd()
    try:
        assert await process.stdout.readline() == b"\n", "the displays do not watch"
        yield found
    finally:
        counted, _ = await process.communicate(b"")
    found.messages = int(counted)


if __name__ == "__main__":
    _ports, _subject, _number = sys.argv[1:]
    print(asyncio.run(_watch(list(map(int, _ports.split(","))), _subject, int(_number))))
