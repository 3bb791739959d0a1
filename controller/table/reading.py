"""A journal for those who only look: nothing is written, no lock is taken, a daemon may go on appending."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from controller.table.chain import Entry
from controller.table.errors import JournalError
from controller.table.journal import SELECT, chained, check, entry_of

AT_ONCE = 1000
"""Rows that are read in one transaction: as long as it lasts, the daemon's log cannot be emptied."""


def entries(path: Path) -> Iterator[Entry]:
    """All entries that are there by now, oldest first, each checked to follow from the one before.

    Raises JournalError for a file that is not there, is no journal, or is damaged.
    """
    try:
        if not path.is_file():
            raise JournalError(f"journal {path} is not there")
        with closing(sqlite3.connect(_address(path), uri=True, isolation_level=None)) as database:
            check(path, database)
            yield from chained(path, _rows(database))
    except OSError as error:
        raise JournalError(f"journal {path} cannot be read: {error.strerror}") from error
    except sqlite3.Error as error:
        raise JournalError(f"journal {path} cannot be read, is damaged or no journal: {error}") from error


def _address(path: Path) -> str:
    """Without a log beside it nobody writes the journal; SQLite would leave an empty one there, even so."""
    alone = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    return f"file:{quote(str(path.resolve()))}?mode=ro{alone}"


def _rows(database: sqlite3.Connection) -> Iterator[Entry]:
    last = 0
    while found := database.execute(
        f"{SELECT}WHERE row > ? ORDER BY row LIMIT ?", (last, AT_ONCE)
    ).fetchall():
        last = found[-1][0]
        yield from map(entry_of, found)
