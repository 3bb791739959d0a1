"""The rounds of a shift, read from the journal when the table starts: its state has only the last ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.journal.history import FileReader, History, TimeSpan
from controller.table.record.codec import read_record
from controller.table.record.notes import RoundCorrected, RoundEnded

_ROUNDS: Final = (
    "SELECT row FROM journal WHERE row BETWEEN ? AND ? AND at >= ? AND kind IN ('round', 'corrected')"
    " ORDER BY row"
)


def shift_rounds(journal: Path, since: float) -> dict[int, tuple[RoundEnded, float]]:
    """The rounds that have ended since this Unix time, by number, as corrected, and when each ended. Raises
    JournalError."""
    found: dict[int, tuple[RoundEnded, float]] = {}
    for at, record in _records(History(journal), since):
        if isinstance(record, RoundEnded):
            found[record.round.number] = record, at
        elif record.ended and (known := found.get(record.number)):
            found[record.number] = record.ended, known[1]
    return found


def _records(history: History, since: float) -> Iterator[tuple[float, RoundEnded | RoundCorrected]]:
    """Oldest first."""
    ranges = [rows for rows in history.backwards(span=TimeSpan(since)) if not rows.outside]
    for rows in reversed(ranges):
        with history.open(rows.file) as reader:
            yield from _in_range(reader, rows.first, rows.last, since)


def _in_range(
    reader: FileReader, first: int, last: int, since: float
) -> Iterator[tuple[float, RoundEnded | RoundCorrected]]:
    for (row,) in reader.select(_ROUNDS, (first, last, since)):
        content = reader.at(row).content
        record = read_record(content)
        if isinstance(record, RoundEnded | RoundCorrected):
            yield content.at, record
