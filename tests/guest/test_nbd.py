"""The lossy disk, without a guest."""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.guest.nbd import (
    BLOCK,
    FLUSH,
    FUA,
    GO,
    INVALID,
    OPTION,
    READ,
    REPLY,
    REQUEST,
    REQUEST_MAGIC,
    WRITE,
    LossyDisk,
    Power,
)

BLOCKS = 64
TRIM = 4


class Client:
    """What QEMU does."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._file = connection.makefile("rb")
        self._file.read(18)
        connection.sendall(struct.pack(">I", 1) + OPTION.pack(b"IHAVEOPT", GO, 6) + struct.pack(">IH", 0, 0))
        self._file.read(20 + 12 + 20)

    def ask(
        self, kind: int, offset: int = 0, length: int = 0, data: bytes = b"", flags: int = 0
    ) -> tuple[int, bytes]:
        """The error and the bytes of an answer."""
        words = REQUEST_MAGIC, flags, kind, 7, offset, length or len(data)
        self._connection.sendall(REQUEST.pack(*words) + data)
        _magic, error, number = REPLY.unpack(self._file.read(REPLY.size))
        assert number == 7
        return error, self._file.read(length) if kind == READ else b""

    def close(self) -> None:
        self._file.close()


@contextmanager
def served(
    folder: Path,
    content: dict[int, bytes],
    power: Power | None = None,
    *,
    megabytes: int = 1,
    deaf: bool = False,
) -> Iterator[tuple[LossyDisk, Client]]:
    with (
        LossyDisk(folder / "disk", megabytes, content, Random(1), power or Power(), deaf=deaf) as disk,
        socket.socket(socket.AF_UNIX) as line,
    ):
        line.connect(str(folder / "disk"))
        client = Client(line)
        try:
            yield disk, client
        finally:
            client.close()


def test_a_disk_reads_what_was_written_across_its_blocks(tmp_path: Path) -> None:
    with served(tmp_path, {0: b"a" * BLOCK}) as (_disk, client):
        client.ask(WRITE, BLOCK - 2, data=b"xyz")
        assert client.ask(READ, BLOCK - 3, 5) == (0, b"axyz\0")


def test_a_flushed_block_survives_and_of_the_others_some_do_not(tmp_path: Path) -> None:
    content: dict[int, bytes] = {}
    with served(tmp_path, content) as (disk, client):
        client.ask(WRITE, 0, data=b"flushed".ljust(BLOCK))
        client.ask(FLUSH)
        client.ask(WRITE, BLOCK, data=b"forced".ljust(BLOCK), flags=FUA)
        for number in range(2, BLOCKS):
            client.ask(WRITE, number * BLOCK, data=b"x" * BLOCK)
    assert (content[0][:7], content[1][:6]) == (b"flushed", b"forced")
    assert len(content) == 2 + disk.kept
    assert disk.kept + disk.lost == BLOCKS - 2
    assert min(disk.kept, disk.lost) > 10


def test_a_deaf_disk_answers_a_flush_and_keeps_no_promise(tmp_path: Path) -> None:
    content: dict[int, bytes] = {}
    with served(tmp_path, content, deaf=True) as (disk, client):
        for number in range(BLOCKS):
            client.ask(WRITE, number * BLOCK, data=b"x" * BLOCK)
        assert client.ask(FLUSH) == (0, b"")
    assert disk.lost > 10


def test_a_disk_without_power_answers_nothing(tmp_path: Path) -> None:
    power = Power()
    with served(tmp_path, {}, power) as (_disk, client):
        power.cut()
        with pytest.raises((struct.error, ConnectionError)):
            client.ask(FLUSH)


def test_an_unknown_request_is_refused(tmp_path: Path) -> None:
    with served(tmp_path, {}) as (_disk, client):
        assert client.ask(TRIM, 0, 0) == (INVALID, b"")


def test_a_power_that_trips_later_lets_flushes_pass(tmp_path: Path) -> None:
    power, content = Power(), dict[int, bytes]()
    power.trips = 2
    with served(tmp_path, content, power) as (_disk, client):
        client.ask(WRITE, 0, data=b"first".ljust(BLOCK))
        assert client.ask(FLUSH) == (0, b"")
        client.ask(WRITE, BLOCK, data=b"second".ljust(BLOCK))
        with pytest.raises((struct.error, ConnectionError)):
            client.ask(FLUSH)
    assert content[0][:5] == b"first"


def test_a_power_that_trips_goes_before_a_flush_is_done(tmp_path: Path) -> None:
    power, content = Power(), dict[int, bytes]()
    with served(tmp_path, content, power) as (disk, client):
        power.trips = 1
        assert client.ask(FLUSH) == (0, b"")  # it has nothing to do
        for number in range(BLOCKS):
            client.ask(WRITE, number * BLOCK, data=b"x" * BLOCK)
        with pytest.raises((struct.error, ConnectionError)):
            client.ask(FLUSH)
    assert disk.lost > 10
    assert len(content) == disk.kept
