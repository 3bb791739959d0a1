"""The SQLite files of a floor: one transaction, and files that only grow."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

PATIENCE: Final = 5.0
"""Seconds to wait for another program that uses the file."""


class StoreError(Exception):
    """A file of the store cannot be used. The message names it and says why."""


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All of it is on disk afterwards, or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


class GrowingFile:
    """A file at `path`, which is made with its folder if it is missing; `schema` makes what is missing in it.
    What is committed is on disk. Use it as a context. Raises StoreError for a file that cannot be used."""

    def __init__(self, path: Path, schema: str) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        self._database = sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)
        try:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.executescript(schema)
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise StoreError(f"{path} cannot be used: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()
