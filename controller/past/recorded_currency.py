"""The currency of a journal, from the first of its copies that can be read."""

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from controller.currency import UNNAMED, Currency, named_currency
from controller.journal.errors import JournalError
from controller.past.last_meters import copies, open_damaged
from controller.table.record.events import Started
from controller.table.record.kinds import BY_RECORD, SNAPSHOT

_NEWEST = "SELECT kind, body FROM journal WHERE kind IN (?, ?) ORDER BY row DESC LIMIT 1"


def recorded_currency(journal: Path, mirror: Path | None = None) -> Currency:
    """What the newest start or snapshot says; UNNAMED if it names no currency, or if no copy can be read. A
    journal has one currency for as long as it is written."""
    for path in copies(journal, mirror):
        with suppress(sqlite3.Error, OSError, JournalError), closing(open_damaged(path)) as database:
            for kind, body in database.execute(_NEWEST, (BY_RECORD[Started].name, SNAPSHOT)):
                return _currency(kind, body)
    return UNNAMED


def _currency(kind: str, body: str) -> Currency:
    with suppress(ValueError, TypeError, KeyError, AttributeError):
        content = json.loads(body)
        return named_currency((content["coming"] if kind == SNAPSHOT else content).get("currency", ""))
    return UNNAMED
