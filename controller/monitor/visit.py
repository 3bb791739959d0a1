"""One connection to the pages, which must not stand in the way of the others."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0
"""Seconds in which a client has to go on with what it has begun to send or to read."""
MOST_OF_ONE = 48
"""Connections from one address: some of those that are served are always left to others."""


class Visit(H11Protocol):
    """Ends when its client neither asks for anything nor reads what it asked for: whoever opens connections
    and leaves them would have all of them."""

    _next_look: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """One more client."""
        super().connection_made(transport)
        if self._crowded():
            transport.abort()
        else:
            self._look(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone, or was sent away."""
        super().connection_lost(exc)
        if self._next_look:
            self._next_look.cancel()

    def _crowded(self) -> bool:
        who = address(self.transport)
        return sum(address(one.transport) == who for one in self.connections) > MOST_OF_ONE

    def _look(self, last: tuple[object, int] | None) -> None:
        """Twice the same, and it is the client's turn: it had its time."""
        cycle, unread = self.cycle, self.transport.get_write_buffer_size()
        asks = cycle is None or cycle.response_complete or cycle.more_body
        if (asks or unread) and last == (cycle, unread):
            self.transport.abort()
            return
        self._next_look = self.loop.call_later(PATIENCE, self._look, (cycle, unread))


def address(transport: asyncio.BaseTransport) -> str:
    """Whose connection it is; empty for one that has gone already."""
    who = transport.get_extra_info("peername")
    return str(who[0]) if who else ""
