"""The daemon with a full pipe as standard error: the table plays on, and ends on request."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.fixtures.process_table import ProcessTable, stopped
from tests.system import script
from tests.system.service import service


class Pipe:
    """A pipe of one page. `full()` leaves no room for a single byte."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        fcntl.fcntl(self.writer, fcntl.F_SETPIPE_SZ, 4096)

    def full(self) -> None:
        os.set_blocking(self.writer, False)
        try:
            while os.write(self.writer, b"x"):
                continue
        except BlockingIOError:
            os.set_blocking(self.writer, True)

    def drained(self) -> str:
        """Everything in it, and everything that comes until the last writer is gone."""
        os.close(self.writer)
        self.writer = -1
        with open(self.reader, encoding="utf-8", closefd=False) as file:
            return file.read().lstrip("x")

    def close(self) -> None:
        os.close(self.reader)
        if self.writer >= 0:
            os.close(self.writer)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    with closing(Pipe()) as pipe:
        yield pipe


def play(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house)
    assert script.lines(script.ended(house, number)) == script.LINES


def test_a_log_that_nobody_reads_stops_no_round(house: ProcessTable, pipe: Pipe) -> None:
    pipe.full()
    with stopped(house), service(house.stage.config, log=pipe.writer) as running:
        assert running.say().startswith("READY=1")
        house.until_recovered()
        play(house)
        running.process.terminate()
        assert running.end()[0] == 0


def test_a_log_that_is_read_late_has_every_line_in_order(house: ProcessTable, pipe: Pipe) -> None:
    pipe.full()
    with stopped(house), service(house.stage.config, log=pipe.writer) as running:
        assert running.say().startswith("READY=1")
        house.until_recovered()
        play(house)
        running.process.terminate()
        lines = pipe.drained().splitlines()
        assert running.end()[0] == 0
    heard = [line.partition('"event": "')[2].partition('"')[0] for line in lines]
    assert heard[-1] == "stopping"
    wanted = ("started", "ready", "round ended", "stopping")
    assert [event for event in heard if event in wanted] == [*wanted]
