"""Checks the floor's own journal: rows and signatures as in any journal, and that each entry follows from the
one before."""

from collections.abc import Iterator
from pathlib import Path

from controller.floor.floor_log import ENTRY, FIRST, FloorEntry, hash_of
from controller.floor.verify.findings import FloorFinding
from controller.journal.history import History
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from controller.property.wire import MalformedMessage


def check_own_log(path: Path) -> list[FloorFinding]:
    """Raises JournalError for a journal that cannot be read."""
    report = verify(path, VerifyDemands())
    found = [FloorFinding("log", "", "", "", one.row, one.text) for one in report.findings]
    return found or list(_entries(path))


def _entries(path: Path) -> Iterator[FloorFinding]:
    number, before = 0, FIRST
    for row in History(path).rows():
        if row.content.kind != ENTRY:
            continue
        payload = row.content.body.encode()
        try:
            entry = FloorEntry.read(payload)
        except MalformedMessage as error:
            yield _finding(path, row.row, f"it is not an entry: {error}")
            return
        if (entry.n, entry.before) != (number + 1, before):
            yield _finding(path, row.row, f"entry {entry.n} does not follow from entry {number}")
        number, before = entry.n, hash_of(payload)


def _finding(path: Path, row: int, what: str) -> FloorFinding:
    return FloorFinding("log", "", "", "", row, f"journal {path}: row {row}: {what}")
