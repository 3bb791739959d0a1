"""The table socket of a running daemon: where it is, and which row of the journal may leave the house."""

import asyncio
from collections.abc import Callable

import structlog

from controller.journal.journal import Journal
from controller.socket.core import Core
from controller.socket.listening import SocketPlace, table_socket
from controller.socket.results import Head
from controller.socket.server import SocketServer
from controller.table.loop import Table
from controller.table.record.kinds import SNAPSHOT
from controller.table.state.snapshot import read_snapshot


class CoreSocket:
    """`head` is the last row that may be disclosed. From the hash of a later one, anybody who tries all cards
    could find a card that lies face down."""

    def __init__(self, place: SocketPlace, core: Core, table: Table, journal: Journal) -> None:
        self._place = place
        self._server = SocketServer(core, place.users)
        self._table, self._journal = table, journal
        self.head = _last_snapshot(journal)
        self._tried = asyncio.Event()

    async def serve(self) -> None:
        """Serve the socket until cancelled. Raises OSError if it cannot be made."""
        await serve_socket(self._place, self._server, self._tried.set)

    async def wait_until_tried(self) -> None:
        """Return once the socket listens, or could not be made."""
        await self._tried.wait()

    def changed(self) -> None:
        """The table has changed, and what changed is on disk."""
        state, head = self._table.state, self._journal.head
        if head and not state.underway and not state.unplaced:
            self.head = Head(head.row, head.hash.hex())
        self._server.notify()


async def serve_socket(
    place: SocketPlace, server: SocketServer, tried: Callable[[], None] = lambda: None
) -> None:
    """Serve the socket until cancelled. Call `tried` when it listens, or cannot be made. Raises OSError if it
    cannot be made."""
    log = structlog.get_logger("tableside.socket")
    try:
        async with table_socket(place, server):
            log.info("socket", path=str(place.path))
            tried()
            await asyncio.Event().wait()
    except OSError as error:
        tried()
        log.error("no table socket", why=str(error))
        raise


def _last_snapshot(journal: Journal) -> Head:
    """The row of the last round's end; none if a card waited then, which may become the face-down one."""
    for entry in journal.latest(SNAPSHOT):
        if not read_snapshot(entry.content).strays:
            return Head(entry.row, entry.hash.hex())
    return Head(0, "")
