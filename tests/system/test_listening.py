"""A scan of every port finds only what the configuration names."""

import os
import socket
from collections.abc import Iterator, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from controller.socket.listening import default_path
from tests.fixtures.process_table import ProcessTable
from tests.fixtures.processes import open_files
from tests.fixtures.waiting import PATIENCE

LISTENS = "0A"
BOUND = "07"
"""A datagram socket without a peer."""
UNIX_LISTENS = "00010000"
PATH = 7
"""The column of a Unix socket's path."""
WORKERS = 8


def test_a_scan_finds_the_page_and_nothing_else(house: ProcessTable) -> None:
    ours = sockets(web(house))
    others = {port for port, inode in waiting() if inode not in ours}
    found = scanned(others)
    assert {port for port, inode in waiting() if port in found and inode in ours} == {house.stage.web_port}


def test_the_kernel_knows_of_no_other_socket_that_waits(house: ProcessTable) -> None:
    pages, port = sockets(web(house)), house.stage.web_port
    assert set(listening(web(house), "tcp", LISTENS, pages)) == {f"0100007F:{port:04X}"}
    ours = pages | sockets_of_daemon(house)
    for protocol, state in (("tcp6", LISTENS), ("udp", BOUND), ("udp6", BOUND), ("raw", BOUND)):
        assert set(listening(web(house), protocol, state, ours)) == set()
    assert set(listening(daemon(house), "tcp", LISTENS, sockets_of_daemon(house))) == set()


def test_the_only_unix_socket_is_the_tables_and_nobody_else_may_open_it(house: ProcessTable) -> None:
    lines = Path(f"/proc/{daemon(house)}/net/unix").read_text().splitlines()[1:]
    rows = (line.split() for line in lines)
    ours = sockets_of_daemon(house)
    paths = {row[7] for row in rows if row[6] in ours and row[3] == UNIX_LISTENS}
    expected = default_path(house.stage.journal)
    assert paths == {str(expected)}
    assert expected.stat().st_mode & 0o777 in {0o600, 0o660}


def daemon(house: ProcessTable) -> int:
    assert house.stage.daemon is not None
    return house.stage.daemon.pid


def web(house: ProcessTable) -> int:
    assert house.stage.web is not None
    return house.stage.web.pid


def sockets(process: int) -> Set[str]:
    """The inodes of a process's sockets."""
    return {link[8:-1] for link in open_files(process) if link.startswith("socket:[")}


def sockets_of_daemon(house: ProcessTable) -> Set[str]:
    """The daemon shows its descriptors to root alone. To another user, its sockets are those of this user, or
    in the table's folder, that no process shows."""
    try:
        return sockets(daemon(house))
    except PermissionError:
        return _sockets_of_user(house.stage.folder) - _shown_sockets()


def _sockets_of_user(folder: Path) -> Set[str]:
    names = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")
    rows = (row.split() for name in names for row in Path("/proc/net", name).read_text().splitlines()[1:])
    paths = (row.split() for row in Path("/proc/net/unix").read_text().splitlines()[1:])
    ours = {row[9] for row in rows if int(row[7]) == os.geteuid()}
    return ours | {row[6] for row in paths if row[PATH:] and Path(row[PATH]).is_relative_to(folder)}


def _shown_sockets() -> Set[str]:
    found = set[str]()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found |= sockets(int(folder.name))
    return found


def scanned(others: Set[int]) -> Set[int]:
    """The ports of loopback that take a connection; those of `others` are left alone, because a connection
    would disturb them."""
    ports = sorted(set(range(1, 1 << 16)) - others)
    with ThreadPoolExecutor(WORKERS) as workers:
        return {port for port, opens in zip(ports, workers.map(takes, ports), strict=True) if opens}


def takes(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(PATIENCE)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def waiting() -> Iterator[tuple[int, str]]:
    """Port and inode of every TCP socket that listens, at any address."""
    tables = (Path(f"/proc/net/{name}").read_text().splitlines()[1:] for name in ("tcp", "tcp6"))
    rows = (line.split() for table in tables for line in table)
    return ((int(row[1].rpartition(":")[2], 16), row[9]) for row in rows if row[3] == LISTENS)


def listening(process: int, protocol: str, state: str, inodes: Set[str]) -> Iterator[str]:
    """The local addresses of the listening sockets, as the kernel writes them."""
    for line in Path(f"/proc/{process}/net/{protocol}").read_text().splitlines()[1:]:
        row = line.split()
        if row[9] in inodes and row[3] == state:
            yield row[1]
