"""How far hashes are told: one of a round in play tells its face-down card to whoever tries all cards."""

from collections.abc import Sequence

from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.past.export.chapters import body, told
from controller.past.verify.parts import File, between, snapshot_before


def told_up_to(found: Sequence[File]) -> int:
    """The last row whose hash tells nothing of a round in play; 0: there is none.

    Rows that make no sense tell nothing: what is behind them is not told either. Raises JournalError for a
    file that cannot be read.
    """
    if not found:
        return 0
    file = found[-1]
    begun = _begun(file)
    if begun == 0 and file.first > 1:
        return 0
    first = begun or file.first
    safe = _safe(list(between(file, first, file.last)))
    return safe[-1].row if safe else first - 1


def _begun(file: File) -> int:
    """The snapshot that the round in play begins with; 0: this file has none."""
    row = snapshot_before(file, file.last)
    while row and not _settled(next(between(file, row, row))):
        row = snapshot_before(file, row - 1)
    return row


def _settled(snapshot: Entry) -> bool:
    """No card waits, which may yet lie face down."""
    try:
        return not body(snapshot).get("strays")
    except JournalError:
        return False


def _safe(rows: list[Entry]) -> list[Entry]:
    try:
        return told(rows)
    except (ValueError, RecursionError):
        return []
