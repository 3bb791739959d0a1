"""The table socket of a running daemon: where it is, and which row of the journal may leave the house."""

import asyncio
from collections.abc import Callable

import structlog

from controller.journal.journal import Journal
from controller.socket.core import Core
from controller.socket.listening import SocketPlace, table_socket
from controller.socket.params import PeerKind
from controller.socket.results import Head
from controller.socket.server import SocketServer
from controller.table.loop import Table
from controller.table.record.kinds import SNAPSHOT
from controller.table.state.snapshot import read_snapshot

CHECK_INTERVAL = 10.0
"""Seconds between two looks at whether the socket is still at its path."""
UNREACHABLE = "No page and no command reaches the table: {why}"


class DisclosedHead:
    """`row` is the last row that may be disclosed. From the hash of a later one, anybody who tries all cards
    could find a card that lies face down."""

    def __init__(self, table: Table, journal: Journal) -> None:
        self._table, self._journal = table, journal
        self.row = _last_snapshot(journal)

    def update(self) -> None:
        """The table has changed, and what changed is on disk."""
        state, head = self._table.state, self._journal.head
        if head and not state.underway and not state.unplaced:
            self.row = Head(head.row, head.hash.hex())


class CoreSocket:
    """The socket, and the last row that may be disclosed in `head`."""

    def __init__(
        self, place: SocketPlace, core: Core, table: Table, journal: Journal, report: Callable[[str], None]
    ) -> None:
        """`report` gets the reason why no program can reach the table; empty when programs can again."""
        self._place, self._report = place, report
        self._server = SocketServer(core, place.users)
        self._disclosed = DisclosedHead(table, journal)
        self._tried = asyncio.Event()

    @property
    def head(self) -> Head:
        return self._disclosed.row

    def has(self, kind: PeerKind) -> bool:
        """Whether a client of this kind is connected."""
        return self._server.has(kind)

    async def serve(self) -> None:
        """Serve the socket until cancelled. Raises OSError if it cannot be made, or was taken away."""
        await serve_socket(self._place, self._server, self._on_tried)

    async def wait_until_tried(self) -> None:
        """Return once the socket listens, or could not be made."""
        await self._tried.wait()

    def _on_tried(self, why: str) -> None:
        self._report(why)
        self._tried.set()

    def changed(self) -> None:
        """The table has changed, and what changed is on disk."""
        self._disclosed.update()
        self._server.notify()


async def serve_socket(
    place: SocketPlace, server: SocketServer, tell: Callable[[str], None] = lambda _why: None
) -> None:
    """Serve the socket until cancelled. Call `tell` with an empty text when it listens, and with the reason
    before this raises OSError: the socket cannot be made, or was taken away."""
    log = structlog.get_logger("tableside.socket")
    try:
        async with table_socket(place, server) as is_found:
            log.info("socket", path=str(place.path))
            tell("")
            while True:
                await asyncio.sleep(CHECK_INTERVAL)
                if not is_found():
                    raise OSError(f"table socket {place.path} was removed or replaced")
    except OSError as error:
        tell(UNREACHABLE.format(why=error))
        log.error("no table socket", why=str(error))
        raise


def _last_snapshot(journal: Journal) -> Head:
    """The row of the last round's end; none if a card waited then, which may become the face-down one."""
    for entry in journal.latest(SNAPSHOT):
        if not read_snapshot(entry.content).strays:
            return Head(entry.row, entry.hash.hex())
    return Head(0, "")
