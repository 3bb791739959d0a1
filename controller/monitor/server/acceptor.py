"""Accepts connections to the pages in small batches, so that a flood of them costs the table little."""

import asyncio
import errno
import resource
import socket
import ssl
from collections.abc import Callable
from functools import partial

import structlog

from controller.monitor.server.admission import Admission, ConnectionSlot

BATCH = 32
"""The most connections that one turn of the event loop accepts."""
BATCH_PAUSE = 0.01
"""Seconds between two batches."""
SCARCITY_PAUSE = 1.0
"""Seconds until the next attempt after the computer has run out of descriptors or memory."""
HANDSHAKE_TIMEOUT = 5.0
"""Seconds after which an unfinished TLS handshake fails."""
SHUTDOWN_TIMEOUT = 2.0
"""Seconds that the end of a TLS session may take."""
RESERVED_DESCRIPTORS = 64
"""Descriptors below the process's limit that connections do not use. The journal, the devices and helper
processes need them."""
SCARCITY_ERRORS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Acceptor:
    """Gives each admitted connection a protocol. Owns the listener; the caller closes the open
    connections."""

    def __init__(
        self,
        listener: socket.socket,
        admission: Admission,
        protocol: Callable[[ConnectionSlot], asyncio.Protocol],
        tls: ssl.SSLContext | None,
    ) -> None:
        self._listener, self._admission, self._protocol, self._tls = listener, admission, protocol, tls
        self._loop = asyncio.get_running_loop()
        self._log = structlog.get_logger("tableside.web")
        self._opening: set[asyncio.Task[None]] = set()
        self._unopened: set[socket.socket] = set()
        """Connections whose task has not run yet."""
        self._pause: asyncio.TimerHandle | None = None
        self._scarce = False
        self._ceiling = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED_DESCRIPTORS
        listener.setblocking(False)
        self._listen()

    def close(self) -> None:
        """Stop accepting connections, cancel unfinished handshakes, and close the listener."""
        self._loop.remove_reader(self._listener)
        self._listener.close()
        if self._pause:
            self._pause.cancel()
        for task in self._opening:
            task.cancel()

    def _listen(self) -> None:
        self._loop.add_reader(self._listener, self._accept_batch)

    def _pause_listening(self, seconds: float) -> None:
        self._loop.remove_reader(self._listener)
        self._pause = self._loop.call_later(seconds, self._listen)

    def _accept_batch(self) -> None:
        for _ in range(BATCH):
            try:
                connection, client = self._listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in SCARCITY_ERRORS:
                    self._wait_for_resources(error)
                    return
                continue  # the client closed the connection before it was accepted
            self._scarce = False
            self._admit(connection, str(client[0]))
        self._pause_listening(BATCH_PAUSE)

    def _wait_for_resources(self, error: OSError) -> None:
        """Pause, because an immediate retry would use the whole processor. The kernel's queue holds the
        waiting clients. Only the first of several errors in a row is logged."""
        if not self._scarce:
            self._log.error("no connection can be taken", why=error.strerror)
        self._scarce = True
        self._pause_listening(SCARCITY_PAUSE)

    def _admit(self, connection: socket.socket, client: str) -> None:
        slot = None
        if connection.fileno() < self._ceiling:  # the kernel assigns the lowest free number
            slot = self._admission.admit(client, str(connection.getsockname()[0]))
        if slot is None:
            connection.close()
            return
        connection.setblocking(False)
        self._unopened.add(connection)
        task = self._loop.create_task(self._open(connection, slot))
        self._opening.add(task)
        task.add_done_callback(partial(self._opened, connection))
        slot.close = task.cancel

    def _opened(self, connection: socket.socket, task: asyncio.Task[None]) -> None:
        self._opening.discard(task)
        if connection in self._unopened:  # cancelled before it ran, so no transport closes it
            self._unopened.discard(connection)
            connection.close()

    async def _open(self, connection: socket.socket, slot: ConnectionSlot) -> None:
        limits = (
            {"ssl_handshake_timeout": HANDSHAKE_TIMEOUT, "ssl_shutdown_timeout": SHUTDOWN_TIMEOUT}
            if self._tls
            else {}
        )
        opened = False
        self._unopened.discard(connection)
        try:
            await self._loop.connect_accepted_socket(
                lambda: self._protocol(slot), connection, ssl=self._tls, **limits
            )
            slot.finished = opened = True
        except OSError:
            return  # the client disconnected, or does not speak TLS
        finally:
            if not opened:
                self._admission.release(slot)
