"""The table socket of a running daemon: where it is, and which row of the journal may leave the house."""

import asyncio
from pathlib import Path

import structlog

from controller.config import Config
from controller.journal.journal import Journal
from controller.socket.core import Core
from controller.socket.listening import default_path, table_socket
from controller.socket.peers import PeerUsers, user_id
from controller.socket.results import Head
from controller.socket.server import SocketServer
from controller.table.loop import Table
from controller.table.record.kinds import SNAPSHOT
from controller.table.state.snapshot import read_snapshot


class CoreSocket:
    """`head` is the last row that may be disclosed. From the hash of a later one, anybody who tries all cards
    could find a card that lies face down."""

    def __init__(self, config: Config, core: Core, table: Table, journal: Journal) -> None:
        section = config.socket
        self._path = Path(section.path) if section.path else default_path(Path(config.journal.path))
        self._group = section.group
        users = PeerUsers(user_id(section.web_user), user_id(section.uplink_user))
        self._server = SocketServer(core, users)
        self._table, self._journal = table, journal
        self._log = structlog.get_logger("tableside.socket")
        self.head = _last_snapshot(journal)

    async def serve(self) -> None:
        """Serve the socket until cancelled. Raises OSError if it cannot be made."""
        try:
            async with table_socket(self._path, self._group, self._server):
                self._log.info("socket", path=str(self._path))
                await asyncio.Event().wait()
        except OSError as error:
            self._log.error("no table socket", why=str(error))
            raise

    def changed(self) -> None:
        """The table has changed, and what changed is on disk."""
        state, head = self._table.state, self._journal.head
        if head and not state.underway and not state.unplaced:
            self.head = Head(head.row, head.hash.hex())
        self._server.notify()


def _last_snapshot(journal: Journal) -> Head:
    """The row of the last round's end; none if a card waited then, which may become the face-down one."""
    for entry in journal.latest(SNAPSHOT):
        if not read_snapshot(entry.content).strays:
            return Head(entry.row, entry.hash.hex())
    return Head(0, "")
