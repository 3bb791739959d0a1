"""Accepts connections to the pages a few at a time, so that a flood of them costs the table little."""

import asyncio
import errno
import resource
import socket
import ssl
from collections.abc import Callable
from functools import partial

import structlog

from controller.monitor.server.admission import Admission, Place

BATCH = 32
"""The most connections accepted in one turn of the loop."""
BATCH_PAUSE = 0.01
"""Seconds between two batches."""
SCARCE = 1.0
"""Seconds before the next attempt when the computer has no descriptor or memory for another connection."""
HANDSHAKE = 5.0
"""Seconds that TLS may take to begin."""
SHUTDOWN = 2.0
"""Seconds that TLS may take to end."""
RESERVE = 64
"""Descriptors that no connection may use: they are for the journal, devices and helpers."""
LACKING = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Acceptor:
    """Gives each admitted connection a protocol. It closes neither the listener nor these connections."""

    def __init__(
        self,
        listener: socket.socket,
        admission: Admission,
        protocol: Callable[[Place], asyncio.Protocol],
        tls: ssl.SSLContext | None,
    ) -> None:
        self._listener, self._admission, self._protocol, self._tls = listener, admission, protocol, tls
        self._loop = asyncio.get_running_loop()
        self._log = structlog.get_logger("tableside.web")
        self._opening: set[asyncio.Task[None]] = set()
        self._unopened: set[socket.socket] = set()
        """Connections whose task has not run yet."""
        self._pause: asyncio.TimerHandle | None = None
        self._lacks = False
        self._ceiling = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVE
        listener.setblocking(False)
        self._listen()

    def close(self) -> None:
        """Accept no more connections, and end unfinished handshakes."""
        self._loop.remove_reader(self._listener)
        if self._pause:
            self._pause.cancel()
        for task in self._opening:
            task.cancel()

    def _listen(self) -> None:
        self._loop.add_reader(self._listener, self._take)

    def _rest(self, seconds: float) -> None:
        self._loop.remove_reader(self._listener)
        self._pause = self._loop.call_later(seconds, self._listen)

    def _take(self) -> None:
        for _ in range(BATCH):
            try:
                connection, client = self._listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in LACKING:
                    self._lack(error)
                    return
                continue  # the client has gone meanwhile
            self._lacks = False
            self._admit(connection, str(client[0]))
        self._rest(BATCH_PAUSE)

    def _lack(self, error: OSError) -> None:
        """Clients in the queue keep waiting. To ask the kernel again at once would use the whole
        processor."""
        if not self._lacks:
            self._log.error("no connection can be taken", why=error.strerror)
        self._lacks = True
        self._rest(SCARCE)

    def _admit(self, connection: socket.socket, client: str) -> None:
        place = None
        if connection.fileno() < self._ceiling:  # the kernel gives the lowest one that is free
            place = self._admission.admit(client, str(connection.getsockname()[0]))
        if place is None:
            connection.close()
            return
        connection.setblocking(False)
        self._unopened.add(connection)
        task = self._loop.create_task(self._open(connection, place))
        self._opening.add(task)
        task.add_done_callback(partial(self._opened, connection))
        place.end = task.cancel

    def _opened(self, connection: socket.socket, task: asyncio.Task[None]) -> None:
        self._opening.discard(task)
        if connection in self._unopened:  # it was ended before it began, and belongs to no transport
            self._unopened.discard(connection)
            connection.close()

    async def _open(self, connection: socket.socket, place: Place) -> None:
        limits = {"ssl_handshake_timeout": HANDSHAKE, "ssl_shutdown_timeout": SHUTDOWN} if self._tls else {}
        opened = False
        self._unopened.discard(connection)
        try:
            await self._loop.connect_accepted_socket(
                lambda: self._protocol(place), connection, ssl=self._tls, **limits
            )
            place.finished = opened = True
        except OSError:
            return  # a client that went, or speaks no TLS
        finally:
            if not opened:
                self._admission.leave(place)
