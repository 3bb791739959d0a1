"""A network between a program and servers, which a drill holds up."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from controller.process.tasks import end_tasks

LOOPBACK: Final = "127.0.0.1"
MOST_BYTES: Final = 1 << 16


class Link:
    """Ports on loopback, one for each server. While it is held, nothing passes in either direction, and no
    connection is made or ends. What was sent meanwhile arrives late, as on a network that was interrupted."""

    def __init__(self) -> None:
        self._passes = asyncio.Event()
        self._passes.set()
        self._trap = b""
        self._listening = list[asyncio.Server]()
        self._connections = set[asyncio.Task[None]]()

    @property
    def addresses(self) -> tuple[str, ...]:
        ports = (server.sockets[0].getsockname()[1] for server in self._listening)
        return tuple(f"nats://{LOOPBACK}:{port}" for port in ports)

    @property
    def held(self) -> bool:
        return not self._passes.is_set()

    def hold(self) -> None:
        self._passes.clear()

    def hold_at(self, trap: bytes) -> None:
        """Hold as soon as the program sends these bytes: they are the first that arrive late."""
        self._trap = trap

    def release(self) -> None:
        self._trap = b""
        self._passes.set()

    async def open(self, ports: Sequence[int]) -> None:
        """Listen for connections to the servers that listen on these ports."""
        for port in ports:
            accept = partial(self._accept, port)
            self._listening.append(await asyncio.start_server(accept, LOOPBACK))

    async def close(self) -> None:
        for server in self._listening:
            server.close()
        await end_tasks(self._connections)

    def _accept(self, port: int, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._serve(port, reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _serve(self, port: int, reader: StreamReader, writer: StreamWriter) -> None:
        """One connection, until either side ends it."""
        far: StreamWriter | None = None
        try:
            await self._passes.wait()
            answers, far = await asyncio.open_connection(LOOPBACK, port)
            ways = [
                asyncio.create_task(self._send(reader, far)),
                asyncio.create_task(self._pass_on(answers, writer)),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await end_tasks(ways)
        except ConnectionError:
            return  # the server does not run, or has ended: the program sees that its connection ends
        finally:
            for end in (writer, far):
                if end:
                    end.close()

    async def _send(self, reader: StreamReader, writer: StreamWriter) -> None:
        """What the program sends."""

        def look(part: bytes) -> None:
            if self._trap and self._trap in part:
                self.hold()

        await self._pass_on(reader, writer, look)

    async def _pass_on(
        self, reader: StreamReader, writer: StreamWriter, look: Callable[[bytes], None] = lambda _part: None
    ) -> None:
        while part := await reader.read(MOST_BYTES):
            look(part)
            await self._passes.wait()
            writer.write(part)
            await writer.drain()
        await self._passes.wait()


@asynccontextmanager
async def link(ports: Sequence[int]) -> AsyncIterator[Link]:
    """To the servers that listen on these ports of loopback."""
    found = Link()
    try:
        await found.open(ports)
        yield found
    finally:
        await found.close()
