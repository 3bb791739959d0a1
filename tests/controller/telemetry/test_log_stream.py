"""Log lines that wait for a slow reader, and those that were dropped."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from controller.telemetry import log_stream
from controller.telemetry.log_stream import MOST_LINES, LogStream, lost_lines

LOST = 37


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)


def gap(lost: int) -> str:
    return f"{lost} lines were lost"


def filled(writer: int) -> int:
    """Fills a pipe; returns the number of bytes in it."""
    os.set_blocking(writer, False)
    count = 0
    try:
        while True:
            count += os.write(writer, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writer, True)
    return count


def read(reader: int, count: int) -> None:
    while count:
        count -= len(os.read(reader, min(count, 4096)))


def test_lines_come_out_in_order_and_all_before_the_end(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    with LogStream(writer, gap) as stream:
        for number in range(20):
            print("line", number, file=sys.stderr)
        stream.write("without an end")
    os.close(writer)
    with open(reader, closefd=False) as file:
        assert file.read().splitlines() == [*(f"line {number}" for number in range(20)), "without an end"]


def test_lines_that_find_no_room_are_counted_where_they_are_missing(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    before = filled(writer)
    with LogStream(writer, gap) as stream:
        print("the first one waits", file=sys.stderr)
        while stream._queue:  # the thread has it, and is blocked
            continue
        for number in range(MOST_LINES + LOST):
            print(number, file=sys.stderr)
        assert (stream.lost, lost_lines()) == (LOST, LOST)
        read(reader, before)
        seen = ""
        while not seen.endswith("37 lines were lost\n"):
            seen += os.read(reader, 4096).decode()
        print("goes on", file=sys.stderr)
    os.close(writer)
    with open(reader, closefd=False) as file:
        rest = file.read()
    assert seen.splitlines() == ["the first one waits", *map(str, range(MOST_LINES)), "37 lines were lost"]
    assert rest == "goes on\n"
    assert lost_lines() == 0


def test_the_end_waits_for_the_reader_for_a_bounded_time(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_stream, "FINAL_WAIT", 0.0)
    reader, writer = pipe
    before = filled(writer)
    with LogStream(writer, gap):
        print("never read", file=sys.stderr)
    assert "log" in {thread.name for thread in threading.enumerate()}
    read(reader, before)
    assert os.read(reader, 100) == b"never read\n"
    os.close(writer)


def test_a_reader_that_is_gone_is_no_fault(pipe: tuple[int, int]) -> None:
    _, writer = pipe
    broken = os.open("/dev/full", os.O_WRONLY)
    with LogStream(broken, gap):
        print("to the floor", file=sys.stderr)
    os.close(broken)
    os.close(writer)


def test_the_trace_of_a_crash_comes_after_all_lines() -> None:
    crash = (
        "import structlog\n"
        "from controller.telemetry.logs import background_logging\n"
        "with background_logging():\n"
        "    for number in range(500):\n"
        "        structlog.get_logger('tableside.test').info('spoken', number=number)\n"
        "    raise RuntimeError('our own bug')\n"
    )
    done = subprocess.run([sys.executable, "-c", crash], capture_output=True, text=True, check=False)
    lines = done.stderr.splitlines()
    assert [f'"number": {number},' in line for number, line in enumerate(lines[:500])] == [True] * 500
    assert lines[500].startswith("Traceback")
    assert lines[-1] == "RuntimeError: our own bug"
