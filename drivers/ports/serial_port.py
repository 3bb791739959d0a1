"""A serial port, a pseudo-terminal or a `socket://` device server as a Transport, through pyserial."""

import asyncio
import errno
import os
import socket
import termios
from collections.abc import Callable, Mapping

import serial

from drivers.errors import Absent
from drivers.ports import pty_link
from drivers.ports.threads import open_in_thread
from drivers.ports.transport import BACKLOG

CHUNK = 4096
INTER_BYTE_TIMEOUT = 0.0
"""Seconds. If it is set, pyserial sets VMIN to 1: reading from a tty without bytes fails with EAGAIN, and
only one that is gone returns nothing. With VMIN at 0, which is usual, both return nothing."""


async def open_serial(name: str, baud: int) -> "SerialTransport":
    """Open the port exclusively, raw 8N1. Raises Absent with the port's name and the reason."""
    return SerialTransport(name, await open_in_thread(lambda: _open(name, baud), _close))


class SerialTransport:
    """A port of pyserial, read and written through its descriptor.

    pyserial's own write() spins while the port takes nothing, and its read() calls select() first.
    """

    def __init__(self, name: str, port: serial.SerialBase) -> None:
        self._name = name
        self._port: serial.SerialBase | None = port
        self._descriptor: int = port.fileno()
        self._loop = asyncio.get_running_loop()
        self._unsent = bytearray()
        self._dropped = 0
        self._gone: Absent | None = None
        self._ready: Callable[[], None] = _ignore

    @property
    def name(self) -> str:
        return self._name

    @property
    def counts(self) -> Mapping[str, int]:
        return {"dropped_bytes": self._dropped} if self._dropped else {}

    def watch(self, ready: Callable[[], None]) -> None:
        self._ready = ready
        self._loop.add_reader(self._descriptor, ready)

    def read(self) -> bytes:
        self._check()
        try:
            data = os.read(self._descriptor, CHUNK)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._lost(error.strerror) from error
        if not data:
            raise self._lost("end of file")
        return data

    def write(self, data: bytes) -> None:
        self._check()
        if self._unsent:
            self._add_unsent(data)
            return
        written = self._write_now(data)
        if written < len(data):
            self._add_unsent(data[written:])
            self._loop.add_writer(self._descriptor, self._write_unsent)

    async def close(self) -> None:
        """Closes the port in a thread, because a tty may wait for its last bytes to leave."""
        port, self._port = self._port, None
        if port is None:
            return
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        self._unsent.clear()
        self._gone = self._gone or Absent(f"port {self._name} is closed")
        await asyncio.shield(self._loop.run_in_executor(None, _close, port))

    def _write_now(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise self._lost(error.strerror) from error

    def _add_unsent(self, data: bytes) -> None:
        if len(self._unsent) + len(data) <= BACKLOG:
            self._unsent += data
        else:
            self._dropped += len(data)

    def _write_unsent(self) -> None:
        try:
            del self._unsent[: self._write_now(self._unsent)]
        except Absent:
            self._unsent.clear()
            self._ready()  # its read() raises what is wrong
        if not self._unsent:
            self._loop.remove_writer(self._descriptor)

    def _check(self) -> None:
        if self._gone:
            raise self._gone

    def _lost(self, why: str | None) -> Absent:
        self._gone = Absent(f"the device on port {self._name} is gone: {why}")
        return self._gone


def _ignore() -> None:
    """Stands for the reader until `watch` is called."""


def _open(name: str, baud: int) -> serial.SerialBase:
    pty_link.check(name)
    try:
        port = serial.serial_for_url(
            name,
            baudrate=baud,
            timeout=0,
            write_timeout=0,
            inter_byte_timeout=INTER_BYTE_TIMEOUT,
            exclusive=True,
        )
    except (OSError, ValueError, termios.error) as error:  # termios.error is no OSError
        raise Absent(f"port {name} cannot be opened: {_reason(error)}") from error
    try:
        pty_link.check(name)  # the simulator could have ended in between
    except Absent:
        _close(port)
        raise
    _disable_delays(port)
    return port


def _disable_delays(port: serial.SerialBase) -> None:
    """Turns off delays between us and the line: FTDI's 16 ms, TCP's Nagle. A port that cannot is left as
    it is."""
    if isinstance(port, serial.Serial):
        try:
            port.set_low_latency_mode(True)
        except (ValueError, OSError):
            return  # a pty has no such mode
    else:
        _socket_of(port).setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _close(port: serial.SerialBase) -> None:
    line = None if isinstance(port, serial.Serial) else _socket_of(port)
    try:
        port.close()
    except (OSError, termios.error):
        return  # an unplugged port's descriptor is gone all the same
    finally:
        if line:
            line.close()  # pyserial forgets it when the peer has reset the connection


def _socket_of(port: serial.SerialBase) -> socket.socket:
    line = vars(port)["_socket"]
    if not isinstance(line, socket.socket):
        raise TypeError(f"{port!r} has no socket")
    return line


def _reason(error: BaseException) -> str:
    """The reason in a few words. pyserial's own texts repeat the port and the number of the error."""
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EWOULDBLOCK:
        return "another process has locked it"
    if number:
        return os.strerror(number)
    return str(error.args[-1]) if error.args else type(error).__name__
