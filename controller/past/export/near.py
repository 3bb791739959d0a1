"""The rows around one round, without the rest of the journal: all that its evidence is made of."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from controller.journal.chain import JournalRow, row_hash, row_of
from controller.journal.errors import JournalError
from controller.journal.history import open_checked
from controller.journal.schema import SELECT
from controller.past.export.evidence import evidence
from controller.past.export.proof import NoRound, prove

_BEGIN = "SELECT max(row) FROM journal WHERE kind = 'snapshot' AND row < ?"
_FROM = f"{SELECT}WHERE row >= ? ORDER BY row"
_ENOUGH = 3
"""Snapshots: the one before the round, the one behind it, and the one behind the round after."""


def rows_near(file: Path, row: int) -> list[JournalRow]:
    """The rows of the round that a row of this file is in, of the one after, and one row before them.

    Raises JournalError where they do not follow from each other, and sqlite3.Error.
    """
    with closing(open_checked(file)) as database:
        (snapshot,) = database.execute(_BEGIN, (row,)).fetchone()
        begin = snapshot - 1 if snapshot else 1
        rows = list(_until_enough(map(row_of, database.execute(_FROM, (begin,)))))
    for before, entry in pairwise(rows):
        if entry.row != before.row + 1 or entry.hash != row_hash(before.hash, entry.row, entry.content):
            raise JournalError(
                f"journal {file} is damaged: row {entry.row} does not follow from the one before"
            )
    return rows


def evidence_hash(rows: Sequence[JournalRow], number: int) -> str:
    """The hash of a round's evidence, as `tableside export` has it, out of the rows near it; empty for one
    that has not ended."""
    try:
        return evidence(prove(rows, number)).hash
    except NoRound:
        return ""


def _until_enough(entries: Iterator[JournalRow]) -> Iterator[JournalRow]:
    snapshots = 0
    for entry in entries:
        yield entry
        snapshots += entry.content.kind == "snapshot"
        if snapshots == _ENOUGH:
            return
