"""Where a journal goes on for somebody who has its rows up to one: whether it still has that row."""

from dataclasses import dataclass

from controller.journal.errors import JournalError
from controller.journal.history import History


class OtherRows(Exception):
    """Somebody has rows that the journal does not have. The message names them."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The rows from `oldest` to `last` are there. `before`: the hash before the oldest one."""

    oldest: int
    last: int
    before: bytes

    @classmethod
    def of(cls, history: History) -> "Extent":
        """Raises JournalError, also for a journal that has no rows yet."""
        files = history.files()
        if not files:
            raise JournalError(f"journal {history.path} has no rows yet")
        oldest = files[0].first
        with history.open(files[0]) as reader:
            before = reader.hash_before(reader.at(oldest))
        return cls(oldest, files[-1].last, before)


def goes_on_after(history: History, extent: Extent, row: int, digest: bytes, who: str = "the floor") -> bool:
    """Whether the journal has all rows after `row`; false if the oldest of them are gone. `who` has
    that row, with this hash. Raises OtherRows if the journal's row is another one, JournalError."""
    if row > extent.last:
        raise OtherRows(f"{who} has row {row}, and the journal ends with row {extent.last}")
    if row < extent.oldest - 1:
        return False
    known = extent.before if row == extent.oldest - 1 else history.at(row).hash
    if known != digest:
        raise OtherRows(f"row {row} of the journal is not the one that {who} has")
    return True
