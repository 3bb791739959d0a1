"""Checks the record of the last row, beside the journal: without it, rows could be cut off unnoticed."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from controller.journal import head, names
from controller.journal.errors import JournalError
from controller.journal.head import Mark
from controller.journal.reading import connection
from controller.journal.schema import SCHEMA, check
from controller.verify.findings import Findings
from controller.verify.parts import File, hash_of

CONFIRM = (
    "Compare the last rounds with slips and reports; a start of the table asks two supervisors to confirm "
    "the journal (tableside confirm)"
)


def record_of(path: Path) -> Mark | None:
    """Read the record before the rows, because a daemon writes it after them. Raises JournalError."""
    try:
        return head.read(names.head(path))
    except OSError as error:
        raise JournalError(f"record {names.head(path)} cannot be read: {error.strerror}") from error


def recorded(path: Path, found: Sequence[File], mark: Mark | None) -> Findings:
    """Whether the journal has the row that its record names. A file of the first schema has no record."""
    findings = Findings(str(path))
    if not found or found[-1].closed or _old(path):
        return findings
    last = found[-1].last
    if mark is None:
        record = f"the record {names.head(path)} of its last row is missing or damaged"
        findings.add("damage", 0, f"{record}: rows behind row {last} may have been cut off. {CONFIRM}")
    elif mark.row > last:
        findings.add("damage", last + 1, f"rows {last + 1} to {mark.row} are gone. {CONFIRM}")
    elif mark.row >= found[0].first and _hash(found, mark.row) != mark.hash:
        findings.add("damage", mark.row, f"it is not the row that was written. {CONFIRM}")
    return findings


def _old(path: Path) -> bool:
    try:
        with closing(connection(path)) as database:
            return check(path, database) < SCHEMA
    except (JournalError, OSError):
        return False


def _hash(found: Sequence[File], row: int) -> bytes | None:
    try:
        return next((hash_of(file, row) for file in found if file.first <= row <= file.last), None)
    except JournalError:
        return None
