"""Wires between a host's Transport and a far end in the test's hand: in memory, pty, TCP socket."""

import asyncio
import os
import socket
import time
import tty
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from drivers.errors import Absent
from drivers.pty_link import PtyLink
from drivers.transport import BACKLOG, Transport, open_port
from tests.waiting import come_true

GLANCE = 0.001
LONGEST = 0.1


class FarEnd(Protocol):
    """The device's side of a wire."""

    def take(self) -> bytes:
        """What has come; nothing when nothing has."""

    def write(self, data: bytes) -> None:
        """Bytes to the host."""

    def hang_up(self) -> None:
        """Unplug."""


class Awake:
    """A clock for everybody in a test: real time, but a process that got no processor for longer than
    `LONGEST` does not notice. So nobody is given up whom nobody let answer."""

    def __init__(self) -> None:
        self._seen, self._missed = time.monotonic(), 0.0

    def __call__(self) -> float:
        now = time.monotonic()
        self._missed += max(0.0, now - self._seen - LONGEST)
        self._seen = now
        return now - self._missed


async def until(true: Callable[[], bool]) -> None:
    """Let the loop run until it is so; many small steps follow each other on a wire."""
    await come_true(true, pause=GLANCE)


async def arrived(port: Transport, size: int) -> bytes:
    """That many bytes, each time read when the port says so: a tty that is read again and again while it has
    nothing looks like one that is gone."""
    data = bytearray()
    port.watch(lambda: data.extend(port.read()))
    await until(lambda: len(data) >= size)
    return bytes(data)


async def exactly(take: Callable[[], bytes], size: int) -> bytes:
    """That many bytes, asked for again and again."""
    data = bytearray()

    def enough() -> bool:
        data.extend(take())
        return len(data) >= size

    await until(enough)
    return bytes(data)


class MemoryPort:
    """The host's end of a wire in memory."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.incoming = bytearray()
        self.outgoing = bytearray()
        self.plugged = True
        self.writes = 0
        self.dropped = 0
        self._ready: Callable[[], None] = _nobody

    @property
    def counts(self) -> Mapping[str, int]:
        return {"dropped_bytes": self.dropped} if self.dropped else {}

    def watch(self, ready: Callable[[], None]) -> None:
        self._ready = ready
        self.announce()

    def read(self) -> bytes:
        self._check()
        data = bytes(self.incoming)
        self.incoming.clear()
        return data

    def write(self, data: bytes) -> None:
        self._check()
        self.writes += 1
        if len(self.outgoing) + len(data) <= BACKLOG:
            self.outgoing += data
        else:
            self.dropped += len(data)

    async def close(self) -> None:
        self._ready = _nobody
        self.plugged = False

    def announce(self) -> None:
        asyncio.get_running_loop().call_soon(self._wake)

    def _wake(self) -> None:
        self._ready()  # who watches when it is called, not when it was asked for

    def _check(self) -> None:
        if not self.plugged:
            raise Absent(f"the device on port {self.name} is gone: unplugged")


class MemoryFarEnd:
    """The device's end of a wire in memory."""

    def __init__(self, port: MemoryPort) -> None:
        self._port = port

    def take(self) -> bytes:
        data = bytes(self._port.outgoing)
        self._port.outgoing.clear()
        return data

    def write(self, data: bytes) -> None:
        self._port.incoming += data
        self._port.announce()

    def hang_up(self) -> None:
        self._port.plugged = False
        self._port.announce()


class PtyFarEnd:
    """The master of a pty whose slave has a symlink, as the simulators do it."""

    def __init__(self, link: Path) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self._link = PtyLink(link)
        self._link.point(os.ttyname(slave))
        os.close(slave)

    def take(self) -> bytes:
        try:
            return os.read(self._master, 65_536)
        except OSError:  # nothing yet; or nobody has the slave open
            return b""

    def write(self, data: bytes) -> None:
        os.write(self._master, data)

    def hang_up(self) -> None:
        if self._master >= 0:
            self._link.remove()
            os.close(self._master)
            self._master = -1


class SocketFarEnd:
    """One connection of a serial device server."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._line: socket.socket | None = None

    @property
    def url(self) -> str:
        return f"socket://127.0.0.1:{self._server.getsockname()[1]}"

    def take(self) -> bytes:
        try:
            return self._connection().recv(65_536)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        self._connection().sendall(data)

    def hang_up(self) -> None:
        if self._line:
            self._line.close()
        self._server.close()

    def _connection(self) -> socket.socket:
        if self._line is None:
            self._line, _ = self._server.accept()
            self._line.setblocking(False)
        return self._line


Wire = tuple[Transport, FarEnd]


@asynccontextmanager
async def memory_wire(_folder: Path) -> AsyncIterator[Wire]:
    port = MemoryPort("memory")
    yield port, MemoryFarEnd(port)


@asynccontextmanager
async def pty_wire(folder: Path) -> AsyncIterator[Wire]:
    far = PtyFarEnd(folder / "port")
    port = await open_port(str(folder / "port"))
    yield port, far
    await port.close()
    far.hang_up()


@asynccontextmanager
async def socket_wire(_folder: Path) -> AsyncIterator[Wire]:
    far = SocketFarEnd()
    port = await open_port(far.url)
    far.take()  # accept
    yield port, far
    await port.close()
    far.hang_up()


WIRES = {"memory": memory_wire, "pty": pty_wire, "socket": socket_wire}


def _nobody() -> None:
    """Nobody watches yet."""
