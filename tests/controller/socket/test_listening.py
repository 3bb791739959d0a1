"""Where the table socket is made, and what is never removed for it."""

import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.socket.client import CoreClient
from controller.socket.listening import SocketPlace, SocketUnusable, table_socket
from controller.socket.peers import PeerUsers
from controller.socket.server import SocketServer
from tests.fixtures.core_socket import core_of
from tests.fixtures.core_table import GROUP

NOBODY = 65534


@asynccontextmanager
async def listening(path: Path) -> AsyncIterator[Callable[[], bool]]:
    server = SocketServer(core_of(lambda: None), PeerUsers())
    async with table_socket(SocketPlace(path, GROUP, PeerUsers()), server) as is_found:
        yield is_found


async def refused(path: Path) -> str:
    with pytest.raises(SocketUnusable) as refusal:
        async with listening(path):
            pass
    return str(refusal.value)


async def answers(path: Path) -> bool:
    async with CoreClient(path, "cli") as client:
        await client.wait_connected(20)
        return client.connected


async def test_the_socket_of_a_killed_process_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
        killed.listen()
    async with listening(path) as is_found:
        assert is_found()
        assert await answers(path)
    assert not path.exists()


async def test_a_file_in_the_sockets_place_is_kept_and_named(tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.write_text("the house's own")
    assert await refused(path) == (
        f"table socket {path} cannot be made: there is a file or a folder that is not a socket: remove it"
    )
    assert path.read_text() == "the house's own"
    path.unlink()
    path.mkdir()
    assert "is not a socket" in await refused(path)


async def test_the_socket_of_a_running_program_is_not_taken_from_it(tmp_path: Path) -> None:
    path = tmp_path / "s"
    async with listening(path) as is_found:
        assert await refused(path) == f"table socket {path} cannot be made: another program listens there"
        assert is_found()
        assert await answers(path)


async def test_a_missing_folder_or_a_path_that_is_too_long_is_named(tmp_path: Path) -> None:
    assert "No such file or directory" in await refused(tmp_path / "gone" / "s")
    assert "AF_UNIX path too long" in await refused(tmp_path / ("s" * 120))


@pytest.mark.usefixtures("without_rights")
async def test_a_folder_without_rights_is_named(tmp_path: Path) -> None:
    assert "Permission denied" in await refused(tmp_path / "s")


async def test_a_socket_that_was_taken_away_is_noticed_and_its_successor_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "s"
    async with listening(path) as is_found:
        path.unlink()
        assert not is_found()
        path.write_text("somebody else's")
        assert not is_found()
    assert path.read_text() == "somebody else's"


@pytest.fixture
def without_rights(tmp_path: Path) -> Iterator[None]:
    """Nobody but root may write into the folder, and root becomes another user meanwhile."""
    before = os.geteuid()
    tmp_path.chmod(0o555)
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)
        tmp_path.chmod(0o755)
