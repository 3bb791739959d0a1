"""Clients of the table socket that send half a line, a line without an end, ten thousand requests, or never
read: a round is played meanwhile, and no device notices."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from controller.socket.blocking import BlockingClient
from controller.socket.codes import Code
from controller.socket.lines import MOST_LINE
from controller.socket.listening import default_path
from tests.fixtures.process_table import ProcessTable
from tests.fixtures.waiting import PATIENCE
from tests.system import script

REQUESTS = 10_000
UNKNOWN = b'{"jsonrpc":"2.0","id":%d,"method":"fly"}\n'


@contextmanager
def connected(path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(str(path))
        yield connection


@pytest.fixture
def path(house: ProcessTable) -> Path:
    return default_path(house.stage.journal)


class Flood:
    """Ten thousand requests at once, of which the answers are read."""

    def __init__(self, path: Path) -> None:
        self.numbers: list[int] = []
        self._thread = Thread(target=self._run, args=(path,))

    def __enter__(self) -> "Flood":
        self._thread.start()
        return self

    def __exit__(self, *_ending: object) -> None:
        self._thread.join()

    def _run(self, path: Path) -> None:
        with connected(path) as connection, connection.makefile("rb") as answers:
            lines = b"".join(UNKNOWN % number for number in range(REQUESTS))
            sending = Thread(target=connection.sendall, args=(lines,))
            sending.start()
            self.numbers = [json.loads(answers.readline())["id"] for _ in range(REQUESTS)]
            sending.join()


def test_a_round_is_played_while_clients_misbehave(house: ProcessTable, path: Path) -> None:
    number, sessions = script.lay_out(house).round, house.sessions()
    with ExitStack() as stack:
        half = stack.enter_context(connected(path))
        half.sendall(b'{"jsonrpc":"2.0","id":7,"method":"hea')
        deaf = stack.enter_context(connected(path))
        deaf.sendall(b'{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["view"]}}\n')
        fill(deaf)
        flood = stack.enter_context(Flood(path))
        script.play(house)
        ended = script.ended(house, number)
        half.sendall(b'lth"}\n')
        with half.makefile("rb") as answers:
            assert json.loads(answers.readline())["result"]["status"] == "ok"
    assert script.lines(ended) == script.LINES
    assert house.sessions() == sessions
    assert flood.numbers == [*range(REQUESTS)]


def test_a_line_without_an_end_is_answered_and_ends_its_connection_alone(path: Path) -> None:
    with BlockingClient(path) as other, connected(path) as endless:
        with suppress(BrokenPipeError, ConnectionResetError):
            endless.sendall(b"x" * (MOST_LINE + 1))
        with endless.makefile("rb") as answers:
            assert error(answers.readline())["code"] == Code.NOT_A_REQUEST
            assert answers.readline() == b""
        assert other.call("health")["status"] == "ok"


def test_a_client_that_never_reads_is_disconnected(path: Path) -> None:
    with connected(path) as deaf:
        fill(deaf)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            deaf.sendall(UNKNOWN % 1 * REQUESTS * 10)
    with BlockingClient(path) as other:
        assert other.call("health")["status"] == "ok"


def fill(connection: socket.socket) -> None:
    """Sends requests until the table reads no more of them."""
    connection.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            connection.send(b"".join(UNKNOWN % number for number in range(100)))
    connection.settimeout(PATIENCE)


def error(line: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line)["error"]
    return found
