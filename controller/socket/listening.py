"""Where the table socket is, and how it is made: only its group may open it."""

import asyncio
import grp
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from controller.config import Config
from controller.socket.peers import PeerUsers, user_id
from controller.socket.server import SocketServer

BACKLOG = 64
RUNTIME_DIRECTORY = "RUNTIME_DIRECTORY"
"""The variable in which systemd gives a service its folder."""


def default_path(journal: Path) -> Path:
    """The socket in the service's own folder; beside the journal without one."""
    folder = os.environ.get(RUNTIME_DIRECTORY, "").partition(":")[0]
    return Path(folder, "table.sock") if folder else journal.with_name(f"{journal.name}.sock")


@dataclass(frozen=True, slots=True)
class SocketPlace:
    """Where the socket is, the group that may open it, and the users of the satellites."""

    path: Path
    group: str
    users: PeerUsers


def socket_place(config: Config) -> SocketPlace:
    """The place of this table's socket."""
    section = config.socket
    path = Path(section.path) if section.path else default_path(Path(config.journal.path))
    return SocketPlace(
        path, section.group, PeerUsers(user_id(section.web_user), user_id(section.uplink_user))
    )


@asynccontextmanager
async def table_socket(place: SocketPlace, server: SocketServer) -> AsyncIterator[None]:
    """A context in which the socket listens; it disconnects all clients at the end. An old socket is
    replaced. Raises OSError."""
    path = place.path
    listener = _listen(path, place.group)
    listening = await asyncio.get_running_loop().create_unix_server(server.link, sock=listener)
    try:
        yield
    finally:
        listening.close()
        with suppress(OSError):  # a disk that takes nothing leaves it there, and the next start replaces it
            path.unlink(missing_ok=True)
        await server.close()


def _listen(path: Path, group: str) -> socket.socket:
    """Closed to others until mode and group are set."""
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
        _open_to(path, group)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise OSError(f"table socket {path} cannot be made: {error}") from error
    finally:
        os.umask(before)
    return listener


def _open_to(path: Path, group: str) -> None:
    """The group may open the socket if this machine has the group and this user may give it."""
    try:
        found = grp.getgrnam(group).gr_gid
    except KeyError:
        return
    with suppress(PermissionError):
        os.chown(path, -1, found)
        path.chmod(0o660)
