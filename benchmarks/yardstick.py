"""What the machine itself costs: a raw pty echo and one FULL commit, the yardstick of every latency."""

import contextlib
import os
import sqlite3
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ECHO = "import os\nwhile data := os.read(0, 64): os.write(1, data)"
WORD = bytes(range(16))
ROW = ("x" * 200,)


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Both yardsticks. They are taken between the measurements, so that other work of the machine affects
    both alike. `echoes` and `commits` collect seconds."""

    pty: int
    database: sqlite3.Connection
    echoes: list[float] = field(default_factory=list)
    commits: list[float] = field(default_factory=list)

    def measure(self) -> None:
        """Takes one of each."""
        self.echoes.append(echo(self.pty))
        self.commits.append(self._commit())

    def _commit(self) -> float:
        """Seconds for a transaction of one row, with WAL and synchronous=FULL."""
        started = time.perf_counter()
        self.database.execute("BEGIN IMMEDIATE")
        self.database.execute("INSERT INTO row VALUES (?)", ROW)
        self.database.execute("COMMIT")
        return time.perf_counter() - started


def echo(pty: int) -> float:
    """Seconds for 16 bytes to a process on a raw pty and back."""
    started = time.perf_counter()
    os.write(pty, WORD)
    left = len(WORD)
    while left:
        left -= len(os.read(pty, left))
    return time.perf_counter() - started


@contextlib.contextmanager
def yardstick(folder: Path) -> Iterator[Yardstick]:
    """A process that echoes and a database in `folder`, both warmed up."""
    with echoing() as pty, contextlib.closing(_database(folder / "yardstick.sqlite")) as database:
        ready = Yardstick(pty, database)
        ready.measure()
        ready.echoes.clear()
        ready.commits.clear()
        yield ready


@contextlib.contextmanager
def echoing() -> Iterator[int]:
    """Runs a process that echoes. Yields our end of its pty."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    with subprocess.Popen([sys.executable, "-c", ECHO], stdin=theirs, stdout=theirs) as echo:
        try:
            yield ours
        finally:
            echo.terminate()
            echo.wait()
            os.close(theirs)
            os.close(ours)


def _database(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE row(body TEXT)")
    return database
