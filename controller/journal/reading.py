"""A journal for those who only look: nothing is written, no lock is taken, a daemon may go on appending."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.journal.journal import SELECT, chained, check, entry_of

AT_ONCE = 1000
"""Rows that are read in one transaction: as long as it lasts, the daemon's log cannot be emptied."""


def entries(path: Path) -> Iterator[Entry]:
    """All entries that are there by now, oldest first, each checked to follow from the one before.

    Raises JournalError for a file that is not there, is no journal, or is damaged.
    """
    try:
        if not path.is_file():
            raise JournalError(f"journal {path} is not there")
        with closing(_opened(path)) as database:
            check(path, database)
        yield from chained(path, _rows(path))
    except OSError as error:
        raise JournalError(f"journal {path} cannot be read: {error.strerror}") from error
    except sqlite3.Error as error:
        raise JournalError(f"journal {path} cannot be read, is damaged or no journal: {error}") from error


def _opened(path: Path) -> sqlite3.Connection:
    """Without a log beside it nobody writes the journal; SQLite would leave an empty one there, even so."""
    alone = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    address = f"file:{quote(str(path.resolve()))}?mode=ro{alone}"
    return sqlite3.connect(address, uri=True, isolation_level=None)


def _rows(path: Path) -> Iterator[Entry]:
    """Opened afresh now and then: a daemon may have begun to write."""
    last, select = 0, f"{SELECT}WHERE row > ? ORDER BY row LIMIT {AT_ONCE}"
    while found := _select(path, select, last):
        last = found[-1].row
        yield from found


def _select(path: Path, select: str, last: int) -> list[Entry]:
    with closing(_opened(path)) as database:
        return [entry_of(fields) for fields in database.execute(select, (last,))]
