"""What the machine itself costs: a raw pty echo and one FULL commit, the yardstick of every latency here."""

import os
import sqlite3
import statistics
import subprocess
import sys
import time
import tty
from collections.abc import Callable
from pathlib import Path

ECHO = "import os\nwhile data := os.read(0, 64): os.write(1, data)"
WORD = bytes(range(16))


def median_seconds(work: Callable[[], object], times: int) -> float:
    """The median duration of one call."""
    durations = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        durations.append(time.perf_counter() - started)
    return statistics.median(durations)


def pty_echo(times: int = 2000) -> float:
    """Median seconds for 16 bytes to a process on a raw pty and back."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    with subprocess.Popen([sys.executable, "-c", ECHO], stdin=theirs, stdout=theirs) as echo:

        def there_and_back() -> None:
            os.write(ours, WORD)
            left = len(WORD)
            while left:
                left -= len(os.read(ours, left))

        there_and_back()
        try:
            return median_seconds(there_and_back, times)
        finally:
            echo.terminate()
            echo.wait()
            os.close(theirs)
            os.close(ours)


def full_commit(folder: Path, times: int = 500) -> float:
    """Median seconds of a SQLite transaction of one row, WAL and synchronous=FULL."""
    connection = sqlite3.connect(folder / "yardstick.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE row(body TEXT)")
    body = "x" * 200

    def commit() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO row VALUES (?)", (body,))
        connection.execute("COMMIT")

    try:
        return median_seconds(commit, times)
    finally:
        connection.close()
