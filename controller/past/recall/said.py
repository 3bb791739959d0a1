"""What persons decided about a round before it ended, and what they asked each other for."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from controller.past.recall.audit import AuditLine, line_of
from controller.past.recall.deeds import AUDIT_KINDS
from controller.past.recall.places import row_before_round

SORTS = ("decision", "request")
_KINDS = json.dumps(
    [kind for kind, deed in AUDIT_KINDS.items() if deed.sort in SORTS and kind != "corrected"]
)
"""What was put right is told by itself: it is known of ended rounds too."""
_ROWS = (
    "SELECT row FROM journal WHERE row BETWEEN ? AND ?"
    " AND kind IN (SELECT value FROM json_each(?)) ORDER BY row"
)
_NEXT = "SELECT row FROM journal WHERE row > ? AND kind = 'snapshot' ORDER BY row LIMIT 1"


def decisions_in_round(database: sqlite3.Connection, file: Path, row: int) -> Iterator[AuditLine]:
    """Since the round before the one that this row ended, oldest first; what came of a request may stand
    right behind the row."""
    (last,) = database.execute(_NEXT, (row,)).fetchone() or (row,)
    for (place,) in database.execute(_ROWS, (row_before_round(database, row), last, _KINDS)).fetchall():
        line = line_of(database, file, place)
        if line.text:
            yield line
