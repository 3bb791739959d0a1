"""A journal that lost its name is still open: a new file beside it saves all of its rows."""

import sqlite3
from contextlib import closing
from pathlib import Path

from controller.journal import archive, names, schema
from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.inspection import inspect


def save_copy(path: Path, database: sqlite3.Connection, last: JournalRow | None) -> Path:
    """Save the open journal, under its own name in a new folder beside it, with its checksums and its record.
    Raises JournalError, OSError or sqlite3.Error if the copy does not hold every row up to `last`."""
    folder = names.free_name(path, ".saved-")
    folder.mkdir(mode=0o700)
    target = folder / path.name
    with closing(sqlite3.connect(target)) as copy:
        database.backup(copy)
    target.chmod(names.OWNER_ONLY)
    content = target.read_bytes()
    archive.install(target, schema.with_log(content), last)
    if inspect(target).last != last:
        raise JournalError(f"{target} does not end as the journal did")
    return target
