import os
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.sim.pty_port import PtyPort


@pytest.fixture
def port(tmp_path: Path) -> Iterator[PtyPort]:
    port = PtyPort(tmp_path / "shoe")
    port.plug()
    yield port
    port.unplug()


def open_slave(folder: Path) -> int:
    slave = os.open(folder / "shoe", os.O_RDWR | os.O_NOCTTY)
    tty.setraw(slave)
    return slave


def test_bytes_pass_both_ways_unchanged(port: PtyPort, tmp_path: Path) -> None:
    every_byte = bytes(range(256))
    slave = open_slave(tmp_path)
    os.write(slave, every_byte)
    assert port.read() == every_byte
    port.write(every_byte)
    assert os.read(slave, 1000) == every_byte
    os.close(slave)


def test_a_port_that_nobody_has_open_reads_nothing(port: PtyPort, tmp_path: Path) -> None:
    assert port.read() == b""
    os.close(open_slave(tmp_path))
    assert port.read() == b""


def test_bytes_that_nobody_reads_are_dropped_and_counted(port: PtyPort) -> None:
    for _ in range(100):
        port.write(bytes(1000))
    assert port.lost > 50_000


def test_a_hang_up_ends_the_file_and_removes_the_name(port: PtyPort, tmp_path: Path) -> None:
    slave = open_slave(tmp_path)
    port.unplug()
    assert os.read(slave, 10) == b""
    assert not (tmp_path / "shoe").is_symlink()
    assert port.read() == b""
    port.write(b"into the air")
    os.close(slave)


def test_the_name_moves_to_the_new_pty(port: PtyPort, tmp_path: Path) -> None:
    slave = open_slave(tmp_path)  # keeps the old number in use
    before = (tmp_path / "shoe").readlink()
    port.unplug()
    port.plug()
    assert (tmp_path / "shoe").readlink() != before
    fresh = open_slave(tmp_path)
    port.write(b"hello")
    assert os.read(fresh, 10) == b"hello"
    os.close(fresh)
    os.close(slave)


def test_a_stale_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "shoe").symlink_to("/nowhere")
    port = PtyPort(tmp_path / "shoe")
    port.plug()
    assert (tmp_path / "shoe").exists()
    port.unplug()
