"""The own journal of an instance: the entries of the log as rows of a journal with a chain, a mirror and
checkpoints."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.jackpot.linked.entries import LogEntry, read_entry
from controller.jackpot.linked.wire import MalformedMessage
from controller.journal import names
from controller.journal.chain import JournalRow, RowContent
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.journal.journal import ROLL_ROWS, Journal
from controller.journal.signing import CHECKPOINT, Signer, checkpoint

ENTRY: Final = "entry"
"""The kind of a row with an entry of the log. Its number is the sequence of the entry's message there."""
HASH_BYTES: Final = 32


class EntryJournal:
    """The entries in the journal at `path`, and in its mirror. The journal has every entry from the first on.
    A file is closed after `most` rows. Every method raises JournalError for a journal that cannot be used."""

    def __init__(self, path: Path, mirror: Path, signer: Signer, most: int = ROLL_ROWS) -> None:
        self._path, self._mirror, self._signer, self._most = path, mirror, signer, most
        self._journal = self._open()
        self._hashes = bytearray()
        self.sequence = 0
        """Of the message of the last entry in the log, as it was when the entry was appended."""

    def _open(self) -> Journal:
        return Journal(self._path, self._mirror, self._signer, most=self._most)

    @property
    def healed(self) -> tuple[str, ...]:
        """What the opening repaired, a sentence each."""
        return self._journal.healed

    def read(self) -> Iterator[LogEntry]:
        """All entries, from the first on."""
        self._hashes.clear()
        for row in self._entry_rows():
            entry = _entry_of(self._path, row)
            self._note(entry, row.content.number)
            yield entry

    def after(self, n: int) -> tuple[LogEntry, ...]:
        """The entries after entry `n`."""
        entries = (_entry_of(self._path, row) for row in self._entry_rows())
        return tuple(entry for entry in entries if entry.n > n)

    def hash_at(self, n: int) -> str:
        """The hash of entry `n`, empty if the journal does not have it."""
        return self._hashes[HASH_BYTES * (n - 1) : HASH_BYTES * n].hex() if n else ""

    def append(self, entry: LogEntry, sequence: int) -> None:
        """The entry is on both disks when this returns. A full file is closed before."""
        row = RowContent(entry.at, ENTRY, entry.payload.decode(), number=sequence)
        if not (self._journal.full and self._begin_file(row)):
            self._journal.append([row])
        self._note(entry, sequence)

    def sign(self, at: float) -> None:
        """Sign what was appended since the last signature. `at`: seconds of Unix time."""
        head = self._journal.head
        if head and head.content.kind != CHECKPOINT:
            self._journal.append([checkpoint(self._signer, at, head)])

    def check(self) -> None:
        """Raises JournalError if the journal or its mirror was taken away or cannot be written."""
        self._journal.check()
        if fault := self._journal.mirror_fault:
            raise JournalError(f"mirror {self._mirror}: {fault}")
        self._journal.tidy()

    def set_aside(self) -> Path:
        """Close the journal, keep its files under other names as evidence, and begin an empty one. Returns
        the folder with the old files."""
        self.close()
        folders = [_set_aside(path) for path in (self._path, self._mirror)]
        self._journal = self._open()
        self._hashes.clear()
        self.sequence = 0
        return folders[0]

    def close(self) -> None:
        self._journal.close()

    def _entry_rows(self) -> Iterator[JournalRow]:
        if self._journal.head:
            yield from (row for row in History(self._path).rows() if row.content.kind == ENTRY)

    def _note(self, entry: LogEntry, sequence: int) -> None:
        self._hashes += bytes.fromhex(entry.hash)
        self.sequence = sequence

    def _begin_file(self, row: RowContent) -> bool:
        """Close the file; `row` begins the next one. Returns whether that was done: not while another process
        reads the file."""
        if not self._journal.copied:
            self._journal.copy().run()
        before = self._journal.head
        self._journal.roll([row])
        return self._journal.head is not before


def _entry_of(path: Path, row: JournalRow) -> LogEntry:
    try:
        return read_entry(row.content.body.encode())
    except MalformedMessage as error:
        raise JournalError(f"journal {path} has no entry in row {row.row}: {error}") from error


def _set_aside(path: Path) -> Path:
    folder = names.free_name(path, ".aside")
    folder.mkdir(mode=names.FOLDER_MODE)
    for part in (*names.parts(path), names.archive(path)):
        if part.exists():
            part.rename(folder / part.name)
    names.sync(path.parent)
    return folder
