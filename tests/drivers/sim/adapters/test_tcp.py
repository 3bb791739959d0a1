"""A simulated device behind a TCP server on loopback."""

import select
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.sim.adapters.tcp import TcpPort
from tests.fixtures.waiting import PATIENCE


@pytest.fixture
def port(tmp_path: Path) -> Iterator[TcpPort]:
    port = TcpPort(tmp_path / "link", 0)
    port.plug()
    yield port
    port.unplug()
    port.close()


def connect(link: Path) -> socket.socket:
    scheme, _, address = link.read_text().partition("://")
    assert scheme == "socket"
    host, number = address.split(":")
    return socket.create_connection((host, int(number)), timeout=PATIENCE)


def heard(port: TcpPort) -> bytes:
    """The next bytes."""
    ready, _, _ = select.select([port.descriptor], [], [], PATIENCE)
    assert ready
    return port.read()


def heard_of(port: TcpPort, size: int) -> bytes:
    """This many bytes, whoever has to be let in before."""
    data = b""
    while len(data) < size:
        data += heard(port)
    return data


def test_bytes_pass_both_ways(port: TcpPort, tmp_path: Path) -> None:
    assert port.plugged
    with connect(tmp_path / "link") as client:
        client.sendall(b"lock")
        assert heard_of(port, 4) == b"lock"
        port.write(b"done")
        assert client.recv(9) == b"done"


def test_what_nobody_hears_is_lost(port: TcpPort) -> None:
    port.write(b"a card")
    assert port.lost == 6


def test_who_comes_later_takes_the_line_over(port: TcpPort, tmp_path: Path) -> None:
    with connect(tmp_path / "link") as first, connect(tmp_path / "link") as second:
        assert heard(port) == b""
        port.read()
        assert first.recv(9) == b""
        port.write(b"x")
        assert second.recv(9) == b"x"


def test_a_client_that_leaves_makes_place_for_another(port: TcpPort, tmp_path: Path) -> None:
    with connect(tmp_path / "link"):
        heard(port)
    assert heard(port) == b""
    with connect(tmp_path / "link") as client:
        client.sendall(b"again")
        assert heard_of(port, 5) == b"again"


def test_a_device_without_power_refuses_connections_and_keeps_its_address(
    port: TcpPort, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    address = link.read_text()
    with connect(link) as client:
        heard(port)
        port.unplug()
        assert client.recv(9) == b""
    assert not port.plugged
    assert not link.exists()
    port.plug()
    assert link.read_text() == address
    with connect(link):
        pass
