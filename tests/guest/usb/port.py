"""A USB socket of a guest as the port of a simulated device, in place of a pseudo-terminal."""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

from tests.guest.usb.function import UsbFunction
from tests.guest.usb.redir import RedirectedDevice


class RedirectedPort:
    """Plugs a function in by connecting with QEMU's socket, and pulls it by closing the connection. `plug`
    raises OSError if QEMU does not listen."""

    def __init__(self, path: Path, function: UsbFunction) -> None:
        self._path = path
        self._function = function
        self._socket: socket.socket | None = None
        self._device: RedirectedDevice | None = None
        self._unsent = b""

    @property
    def plugged(self) -> bool:
        return self._socket is not None

    @property
    def descriptor(self) -> int:
        """To watch for reading while plugged."""
        assert self._socket is not None
        return self._socket.fileno()

    def plug(self) -> None:
        fresh = socket.socket(socket.AF_UNIX)
        fresh.connect(str(self._path))
        fresh.setblocking(False)
        self._socket, self._unsent = fresh, b""
        self._device = RedirectedDevice(self._function)
        self._function.plug(self._pump)
        self._flush()

    def unplug(self) -> None:
        if self._socket is not None:
            self._watch_room(False)
            self._socket.close()
            self._socket = self._device = None

    def read(self) -> bytes:
        """Everything that has come for the device; empty if there is nothing."""
        if self._socket is None or self._device is None:
            return b""
        with suppress(BlockingIOError):
            while data := self._socket.recv(65_536):
                self._device.feed(data)
            asyncio.get_running_loop().remove_reader(
                self._socket
            )  # QEMU ended, and this would be readable for ever
        data = self._function.take()
        self._pump()
        return data

    def write(self, data: bytes) -> None:
        """Sends; what does not fit is lost."""
        if self._socket is not None and data:
            self._function.write(data)

    def _pump(self) -> None:
        if self._device is not None:
            self._device.pump()
            self._flush()

    def _flush(self) -> None:
        """Sends to QEMU, which sometimes has no room."""
        assert self._socket is not None
        assert self._device is not None
        self._unsent += self._device.take()
        try:
            self._unsent = self._unsent[self._socket.send(self._unsent) if self._unsent else 0 :]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent = b""  # QEMU ended
        self._watch_room(bool(self._unsent))

    def _watch_room(self, wanted: bool) -> None:
        assert self._socket is not None
        loop = asyncio.get_running_loop()
        if wanted:
            loop.add_writer(self._socket, self._flush)
        else:
            loop.remove_writer(self._socket)
