"""Where the table socket is, and how it is made: only its group may open it."""

import asyncio
import grp
import os
import socket
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from errno import EADDRINUSE, EAGAIN, EEXIST
from pathlib import Path

from controller.config import Config
from controller.socket.peers import PeerUsers, user_id
from controller.socket.server import SocketServer

BACKLOG = 64
SERVICE_SOCKET = Path("/run/tableside/table.sock")
"""Where the service of an installed table has its socket."""
RUNTIME_DIRECTORY = "RUNTIME_DIRECTORY"
"""The variable in which systemd gives a service its folder."""


def default_path(journal: Path) -> Path:
    """The socket in the service's own folder; beside the journal without one."""
    folder = os.environ.get(RUNTIME_DIRECTORY, "").partition(":")[0]
    return Path(folder, "table.sock") if folder else journal.with_name(f"{journal.name}.sock")


def find_socket(config: Config) -> Path:
    """Where a client finds the socket of the table with this configuration. The service has it in a folder
    that only systemd's environment names."""
    if config.socket.path:
        return Path(config.socket.path)
    beside = default_path(Path(config.journal.path))
    return SERVICE_SOCKET if SERVICE_SOCKET.exists() and not _is_there(beside) else beside


def _is_there(path: Path) -> bool:
    """Whether this user finds the file."""
    try:
        return path.exists()
    except OSError:  # the folder of the journal is for its group only
        return False


class SocketUnusable(OSError):
    """No socket can be made at this path."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"table socket {path} cannot be made: {why}")


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
    users = PeerUsers(*map(user_id, (section.web_user, section.uplink_user, section.bridge_user)))
    return SocketPlace(path, section.group, users)


@asynccontextmanager
async def table_socket(place: SocketPlace, server: SocketServer) -> AsyncIterator[Callable[[], bool]]:
    """A context in which the socket listens; it disconnects all clients at the end. An old socket is
    replaced. Yields a function that tells whether clients still find the socket. Raises SocketUnusable."""
    path = place.path
    listener = _listen(path, place.group)
    made = _identity(path)
    listening = await asyncio.get_running_loop().create_unix_server(server.link, sock=listener)
    try:
        yield lambda: _identity(path) == made
    finally:
        listening.close()
        with suppress(OSError):  # a disk that takes nothing leaves it there, and the next start replaces it
            if _identity(path) == made:
                path.unlink(missing_ok=True)
        await server.close()


def _listen(path: Path, group: str) -> socket.socket:
    """Closed to others until mode and group are set."""
    before = os.umask(0o177)
    listener = socket.socket(socket.AF_UNIX)
    try:
        _remove_old(path)
        listener.bind(str(path))
        _open_to(path, group)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise SocketUnusable(path, error.strerror or str(error)) from error
    finally:
        os.umask(before)
    return listener


def _remove_old(path: Path) -> None:
    """Remove the socket of a process that has ended. Raises OSError for anything else at this path."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise OSError(EEXIST, "there is a file or a folder that is not a socket: remove it")
        if _has_listener(path):
            raise OSError(EADDRINUSE, "another program listens there")
        path.unlink()


def _has_listener(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        return caller.connect_ex(str(path)) in {0, EAGAIN}


def _identity(path: Path) -> tuple[int, int] | None:
    """Tells a file from another one at the same path; None if there is none."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _open_to(path: Path, group: str) -> None:
    """The group may open the socket if this machine has the group and this user may give it."""
    try:
        found = grp.getgrnam(group).gr_gid
    except KeyError:
        return
    with suppress(PermissionError):
        os.chown(path, -1, found)
        path.chmod(0o660)
