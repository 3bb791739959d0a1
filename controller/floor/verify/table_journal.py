"""Compares a table's own journal, or a copy of it, with what the floor has stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.floor.day_file import JournalName
from controller.floor.store import FloorArchive
from controller.floor.verify.findings import FloorFinding
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.past.anchor import Anchor
from controller.past.verify.publishable import newest_anchor

_HASH = "SELECT hash FROM journal WHERE row = ?"


@dataclass(frozen=True, slots=True)
class StoredPlace:
    """The rows of a stored batch, and the hash of the last one."""

    first: int
    last: int
    hash: bytes


def check_table_journal(
    archive: FloorArchive, path: Path, names: Sequence[JournalName]
) -> list[FloorFinding]:
    """Compare with the one of these journals of which it has rows. Raises JournalError, StoreError."""
    for name in names:
        places = [StoredPlace(one.first, one.last, one.hash) for one in archive.segments(name)]
        own = dict(_own_hashes(path, places))
        if any(own.get(place.last) == place.hash for place in places):
            return list(_differences(path, name, places, own))
    known = ", ".join(f"{name.table} {name.epoch}" for name in names) or "none"
    text = f"journal {path}: the floor has none of its rows; compared with: {known}"
    return [FloorFinding("journal", "", "", "", 0, text)]


def _own_hashes(path: Path, places: Sequence[StoredPlace]) -> Iterator[tuple[int, bytes]]:
    """The hashes that the journal has in the last rows of these batches, as far as it has them."""
    history = History(path)
    for file in history.files():
        with history.open(file) as reader:
            for place in places:
                if file.first <= place.last <= file.last:
                    for (digest,) in reader.select(_HASH, (place.last,)):
                        yield place.last, bytes(digest)


def _differences(
    path: Path, name: JournalName, places: Sequence[StoredPlace], own: dict[int, bytes]
) -> Iterator[FloorFinding]:
    files = History(path).files()
    if not files:
        raise JournalError(f"journal {path} has no rows")
    for place in places:
        if own.get(place.last, place.hash) != place.hash:
            what = f"the rows {place.first} to {place.last} of the floor are not those of this journal"
            yield _finding(path, name, place.first, what)
            return
    if places[-1].last > files[-1].last:
        what = f"it ends with row {files[-1].last}, and the floor has rows up to {places[-1].last}"
        yield _finding(path, name, places[-1].last, f"{what}: it is older than what the table has sent")
    for first, last in _missing(files[0].first, places, newest_anchor(path)):
        yield _finding(path, name, first, f"the floor does not have the rows {first} to {last}")


def _missing(oldest: int, places: Sequence[StoredPlace], anchor: Anchor | None) -> Iterator[tuple[int, int]]:
    """Rows of the journal that the floor should have: those between its batches, and those after them that
    may leave the house."""
    ends = [(place.first, place.last) for place in places if place.last >= oldest]
    known = ends[0][0] - 1
    for first, last in (*ends, ((anchor.row if anchor else 0) + 1, 0)):
        if first > known + 1:
            yield max(oldest, known + 1), first - 1
        known = max(known, last)


def _finding(path: Path, name: JournalName, row: int, what: str) -> FloorFinding:
    text = f"journal {path}, {name.table} {name.epoch}, row {row}: {what}"
    return FloorFinding("journal", "", name.table, name.epoch, row, text)
