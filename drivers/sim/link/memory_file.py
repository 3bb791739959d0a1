"""A device's memory in a file."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from drivers.protocol.codes import Status
from drivers.sim.link.memory import CAPACITY, CommandOutcome, Memory, StoredEvent

TABLES = """
create table if not exists value (name text primary key, value) without rowid;
create table if not exists ring (number integer primary key, payload blob, critical integer);
create table if not exists result (key integer primary key, status integer, text text);
"""


class MemoryFile(Memory):
    """A memory in an SQLite file. It survives kill -9, not a power cut of the machine that simulates; a file
    that cannot be read is a memory found unusable: it is formatted."""

    def __init__(
        self, path: Path, capacity: int = CAPACITY, draw: Callable[[int], bytes] = os.urandom
    ) -> None:
        self._depth = 0
        self._file = _opened(path)
        super().__init__(capacity, draw)

    def close(self) -> None:
        """Gives the file free."""
        self._file.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is done inside becomes durable at once or not at all."""
        if self._depth:
            yield
            return
        self._file.execute("begin immediate")
        self._depth = 1
        try:
            yield
        except BaseException:
            self._file.execute("rollback")
            raise
        else:
            self._file.execute("commit")
        finally:
            self._depth = 0

    def _load(self) -> bool:
        values = self._file.execute("select name, value from value").fetchall()
        for name, value in values:
            setattr(self, name, value)
        for number, payload, critical in self._file.execute("select * from ring order by number"):
            self._ring[number] = StoredEvent(payload, bool(critical))
            self._uncommitted += number > self.committed
        for key, status, text in self._file.execute("select * from result"):
            self._results[key] = (Status(status), text)
        return bool(values)

    def _erase(self) -> None:
        for statement in ("delete from value", "delete from ring", "delete from result"):
            self._file.execute(statement)

    def _save_value(self, name: str, value: int | bytes) -> None:
        self._file.execute("replace into value values (?, ?)", (name, value))

    def _save_event(self, number: int, stored: StoredEvent | None) -> None:
        if stored is None:
            self._file.execute("delete from ring where number = ?", (number,))
        else:
            self._file.execute("insert into ring values (?, ?, ?)", (number, stored.payload, stored.critical))

    def _save_result(self, key: int, outcome: CommandOutcome | None) -> None:
        if outcome is None:
            self._file.execute("delete from result where key = ?", (key,))
        else:
            self._file.execute("replace into result values (?, ?, ?)", (key, *outcome))


def _opened(path: Path) -> sqlite3.Connection:
    try:
        return _connected(path)
    except sqlite3.OperationalError:
        raise  # locked, or no such folder: nothing is wrong with what it holds
    except sqlite3.DatabaseError:
        for part in ("", "-wal", "-shm"):
            path.with_name(path.name + part).unlink(missing_ok=True)
        return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None)
    try:
        file.execute("pragma journal_mode = wal")
        file.execute("pragma synchronous = off")
        file.executescript(TABLES)
        _check(file)
    except sqlite3.DatabaseError:
        file.close()
        raise
    return file


def _check(file: sqlite3.Connection) -> None:
    """SQLite itself notices a damaged page only when it reads it."""
    [(found,)] = file.execute("pragma quick_check(1)").fetchall()
    if found != "ok":
        raise sqlite3.DatabaseError(found)
