"""The signatures in the rows of a table: checkpoints, and changes of the key with which it signs."""

from collections.abc import Iterable

from controller.floor.day_file import FloorHead
from controller.journal.chain import JournalRow
from controller.journal.key_change import KEY_CHANGED, KeyChange
from controller.journal.signing import CHECKPOINT, Checkpoint, read_checkpoint


class WrongSignature(Exception):
    """A row is not signed with the key that the table has there. `row`: its number."""

    def __init__(self, row: int, why: str) -> None:
        super().__init__(f"row {row}: {why}")
        self.row, self.why = row, why


def verified(head: FloorHead, rows: Iterable[JournalRow]) -> tuple[FloorHead, Checkpoint | None]:
    """The head after these rows, which follow it, and their last checkpoint. Raises WrongSignature."""
    last = None
    for entry in rows:
        public = head.public
        if entry.content.kind == CHECKPOINT:
            last = read_checkpoint(entry.content, head)
            if last is None or last.public != public:
                raise WrongSignature(entry.row, f"the signature is not one of the key {public.hex()}")
        elif entry.content.kind == KEY_CHANGED:
            change = KeyChange.of_row(entry.content, head)
            if change is None or change.old != public.hex():
                raise WrongSignature(entry.row, f"the change of the key {public.hex()} is not signed")
            public = bytes.fromhex(change.new)
        head = FloorHead(entry.row, entry.hash, entry.content.at, public)
    return head, last
