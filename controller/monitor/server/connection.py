"""One connection to the pages, with a limit on how long its client may be idle."""

import asyncio
import time
from email.utils import formatdate

from starlette.requests import Request
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from controller.monitor.server.admission import Admission, ConnectionSlot, party_of
from controller.monitor.server.limited_log import LimitedLog

IDLE_LIMIT = 10.0
"""Seconds within which a client must continue to send its request or to read the response."""

SLOT = "connection_slot"
"""The name under which each request of a connection finds the connection's slot in its ASGI state."""


def slot_of(request: Request) -> ConnectionSlot | None:
    """The slot of the connection from which this request comes; None if no `Connection` received it."""
    slot: ConnectionSlot | None = request.scope.get("state", {}).get(SLOT)
    return slot


def party_of_request(request: Request) -> str:
    """The party that sends the request."""
    if slot := slot_of(request):
        return slot.party
    client, server = request.client, request.scope.get("server") or ("",)
    return party_of(client.host if client else "", server[0])


class DateHeader:
    """Updates the Date header of responses, at most once a second and only while requests arrive."""

    def __init__(self, state: ServerState) -> None:
        self._state, self._second = state, 0

    def update(self) -> None:
        now = int(time.time())
        if now != self._second:
            self._second = now
            self._state.default_headers = [(b"date", formatdate(now, usegmt=True).encode())]


class Connection(H11Protocol):
    """A connection that is closed if its client neither sends a request nor reads the response. Otherwise one
    client could occupy all connections."""

    _next_look: asyncio.TimerHandle | None = None

    def __init__(
        self,
        config: Config,
        state: ServerState,
        date: DateHeader,
        log: LimitedLog,
        admission: Admission,
        slot: ConnectionSlot,
    ) -> None:
        super().__init__(config, state, {SLOT: slot})
        self.logger = log  # type: ignore[assignment]  # uvicorn calls only methods that both have
        self._date, self._admission, self._slot = date, admission, slot

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        super().connection_made(transport)
        self._slot.idle, self._slot.close = self._waits_for_client, transport.abort
        self._check_progress(None)

    def data_received(self, data: bytes) -> None:
        self._date.update()
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._admission.release(self._slot)
        if self._next_look:
            self._next_look.cancel()

    def _waits_for_client(self) -> bool:
        """Whether the server waits for data from the client."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _check_progress(self, last: tuple[object, int] | None) -> None:
        """Close the connection if nothing has changed since the last check and the server waits for the
        client. `last`: the request and the unsent bytes at the last check."""
        cycle, unread = self.cycle, self.transport.get_write_buffer_size()
        if (self._waits_for_client() or unread) and last == (cycle, unread):
            self.transport.abort()
            return
        self._next_look = self.loop.call_later(IDLE_LIMIT, self._check_progress, (cycle, unread))
