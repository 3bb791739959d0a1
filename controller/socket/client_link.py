"""One client's connection, at the core's end: lines in, lines out, and what happens to a client that does not
read."""

import asyncio
import socket
from collections import deque
from typing import Final, Protocol

from controller.socket.lines import LineBuffer
from controller.socket.params import PeerKind, Topic
from controller.socket.peers import Peer, PeerUsers, peer_of, possible_kinds
from controller.table.record.views import TableView

MOST_UNREAD: Final = 1_048_576
"""Bytes of answers that may wait for a client; beyond them the client is dropped."""
MOST_BUFFERED: Final = 65_536
"""Bytes of requests that may wait; beyond them the core reads no more from this client."""
MOST_RUNNING: Final = 16
"""Requests of one client that may run at the same time."""


class Hub(Protocol):
    """The server, as far as a connection needs it."""

    def joined(self, link: "ClientLink") -> bool:
        """A client connects. Returns whether there is room for it."""

    def left(self, link: "ClientLink") -> None:
        """The client is gone."""

    def ready(self, link: "ClientLink") -> None:
        """The client has sent something, or may have its next request carried out."""

    def drained(self, link: "ClientLink") -> None:
        """The client reads again."""


class ClientLink(asyncio.Protocol):
    """`kinds`: what the client may be. `sent`: the view that it has, None before the first one. A client that
    reads nothing for `patience` seconds is dropped."""

    def __init__(self, hub: Hub, users: PeerUsers, patience: float) -> None:
        self._hub, self._users, self._patience = hub, users, patience
        self.buffer = LineBuffer()
        self.running = 0
        self.topics: frozenset[Topic] = frozenset()
        self.sent: TableView | None = None
        self.last: dict[str, object] = {}
        """What was pushed last in the other topics."""
        self.peer = Peer(0, -1, -1)
        self.kinds: frozenset[PeerKind] = frozenset()
        self._pushes: deque[bytes] = deque()
        self._transport: asyncio.Transport | None = None
        self._blocked: asyncio.TimerHandle | None = None
        self._reading = True
        self._ended = False
        """The client sends nothing more; what it has sent is still carried out and answered."""

    @property
    def open(self) -> bool:
        """Whether the client can still be answered."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def keeps_up(self) -> bool:
        """Whether the client reads what it gets, so that it may get more."""
        return self.open and self._blocked is None and not self._pushes

    @property
    def may_run(self) -> bool:
        """Whether its next request may be carried out."""
        return self.open and self._blocked is None and self.running < MOST_RUNNING

    def become(self, kind: PeerKind) -> None:
        self.kinds = frozenset({kind})

    def subscribe(self, topics: frozenset[Topic]) -> None:
        self.topics |= topics
        self._hub.drained(self)

    def send(self, line: bytes) -> None:
        """Send an answer. A client that leaves too much unread is dropped."""
        if not self._transport or not self.open:
            return
        self._transport.write(line)
        if self._transport.get_write_buffer_size() > MOST_UNREAD:
            self.drop()

    def push(self, lines: list[bytes]) -> None:
        """Send lines that the client has subscribed to, as fast as it reads."""
        self._pushes.extend(lines)
        self._send_pushes()

    def finish(self) -> None:
        """Send what is on its way, and end the connection."""
        if self._transport:
            self._transport.close()
            asyncio.get_running_loop().call_later(self._patience, self.drop)

    def finish_if_idle(self) -> None:
        """No request waits: end the connection if the client sends nothing more."""
        if self._ended and not self.running:
            self.finish()

    def drop(self) -> None:
        """End the connection at once."""
        if self._transport:
            self._transport.abort()

    def throttle(self) -> None:
        """Stop reading while too many requests wait; read on when they are fewer."""
        if not self._transport or not self.open:
            return
        full = len(self.buffer) >= MOST_BUFFERED
        if full and self._reading:
            self._transport.pause_reading()
        elif not full and not self._reading:
            self._transport.resume_reading()
        self._reading = not full

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a stream transport is needed")
        self._transport = transport
        connection: socket.socket = transport.get_extra_info("socket")
        self.peer = peer_of(connection)
        self.kinds = possible_kinds(self.peer, self._users)
        if not self._hub.joined(self):
            self.finish()

    def connection_lost(self, _error: Exception | None) -> None:
        self._unblock()
        self._pushes.clear()
        self._hub.left(self)

    def data_received(self, data: bytes) -> None:
        self.buffer.feed(data)
        self.throttle()
        self._hub.ready(self)

    def eof_received(self) -> bool:
        self._ended = True
        self._hub.ready(self)
        return True  # not closed yet

    def pause_writing(self) -> None:
        if self._blocked is None:
            self._blocked = asyncio.get_running_loop().call_later(self._patience, self.drop)

    def resume_writing(self) -> None:
        self._unblock()
        self._send_pushes()
        if self.keeps_up:
            self._hub.drained(self)
        self._hub.ready(self)

    def _unblock(self) -> None:
        if self._blocked is not None:
            self._blocked.cancel()
            self._blocked = None

    def _send_pushes(self) -> None:
        while self._pushes and self._blocked is None and self.open:
            self.send(self._pushes.popleft())
