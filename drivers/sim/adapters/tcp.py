"""A serial device server on loopback: the line of a simulated device behind one TCP connection."""

import select
import socket
from contextlib import suppress
from pathlib import Path

CHUNK = 65_536


class TcpPort:
    """Listens while it is plugged. A new connection replaces the old one, as with many real servers.

    A file at `link` holds the address, `socket://127.0.0.1:PORT`.
    """

    def __init__(self, link: Path, port: int) -> None:
        self._link, self._wish = link, port
        self._listener: socket.socket | None = None
        self._line: socket.socket | None = None
        self._poll = select.epoll()
        self.lost = 0
        """Bytes that nobody took."""

    @property
    def plugged(self) -> bool:
        """Whether the server has power."""
        return self._listener is not None

    @property
    def descriptor(self) -> int:
        """Readable when a client connects or sends."""
        return self._poll.fileno()

    def plug(self) -> None:
        """Listens, on the same port each time."""
        self._listener = socket.create_server(("127.0.0.1", self._wish))
        self._listener.setblocking(False)
        self._wish = self._listener.getsockname()[1]
        self._poll.register(self._listener, select.EPOLLIN)
        self._link.write_text(f"socket://127.0.0.1:{self._wish}")

    def unplug(self) -> None:
        """Hangs up and stops listening."""
        self._hang_up()
        if self._listener is not None:
            self._poll.unregister(self._listener)
            self._listener.close()
            self._listener = None
            self._link.unlink(missing_ok=True)

    def read(self) -> bytes:
        """Everything that has come; empty if there is nothing."""
        self._accept()
        if self._line is None:
            return b""
        try:
            data = self._line.recv(CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up()
        return data

    def write(self, data: bytes) -> None:
        """Sends; what nobody takes is lost."""
        sent = 0
        if self._line is not None and data:
            with suppress(OSError):
                sent = self._line.send(data)
        self.lost += len(data) - sent

    def close(self) -> None:
        self._poll.close()

    def _accept(self) -> None:
        if self._listener is None:
            return
        with suppress(BlockingIOError):
            line, _ = self._listener.accept()
            self._hang_up()
            line.setblocking(False)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._line = line
            self._poll.register(line, select.EPOLLIN)

    def _hang_up(self) -> None:
        if self._line is not None:
            self._poll.unregister(self._line)
            self._line.close()
            self._line = None
