"""A tap in a line: opens the real port and offers it again as a pty under another name."""

import asyncio
import errno
import os
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

from drivers.errors import Absent
from drivers.ports.pty_link import PtyLink
from drivers.ports.transport import Transport
from drivers.sniff.frame_text import Direction

CHUNK = 4096

OnBytes = Callable[[Direction, bytes], None]


async def listen(transport: Transport, on_bytes: OnBytes) -> NoReturn:
    """Passes everything that arrives to `on_bytes` and writes nothing. Raises Absent when the device is
    gone."""
    readable = asyncio.Event()
    transport.watch(readable.set)
    while True:
        await readable.wait()
        readable.clear()
        on_bytes("unknown", transport.read())


class Tap:
    """Makes `link` lead to a pty while it is entered. `run` carries bytes from the pty to the device, and
    back.

    Entering raises Absent if `link` is taken or cannot be made. Bytes that the pty's reader does not take
    in time are lost, as on a line.
    """

    def __init__(self, transport: Transport, link: Path, on_bytes: OnBytes) -> None:
        self._transport, self._name, self._on_bytes = transport, link, on_bytes
        self._link = PtyLink(link)
        self._near = self._far = -1

    def __enter__(self) -> Self:
        self._near, self._far = os.openpty()
        tty.setraw(self._far)
        os.set_blocking(self._near, False)
        try:
            self._offer()
        except OSError as error:
            self._close()
            raise Absent(f"{self._name} cannot be offered as a port: {error.strerror}") from error
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._close()

    async def run(self) -> NoReturn:
        """Runs until the device is gone (Absent) or the task is cancelled."""
        readable = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._near, readable.set)
        self._transport.watch(readable.set)
        try:
            while True:
                await readable.wait()
                readable.clear()
                self._carry()
        finally:
            loop.remove_reader(self._near)

    def _offer(self) -> None:
        if os.path.lexists(self._name):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        self._link.point(os.ttyname(self._far))

    def _carry(self) -> None:
        if outgoing := self._read():
            self._transport.write(outgoing)
            self._on_bytes("to device", outgoing)
        if incoming := self._transport.read():
            self._write(incoming)
            self._on_bytes("to host", incoming)

    def _read(self) -> bytes:
        try:
            return os.read(self._near, CHUNK)
        except BlockingIOError:
            return b""

    def _write(self, data: bytes) -> None:
        try:
            os.write(self._near, data)
        except BlockingIOError:
            return

    def _close(self) -> None:
        self._link.remove()
        os.close(self._near)
        os.close(self._far)
