"""The journal as the daemon uses it: opened and repaired with its mirror, appended to, signed, closed file by
file.

When `append` or `commit` returns, its rows are on disk, in the journal and then in its mirror (store.py says
how). Nothing may be acknowledged before that.
"""

import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.journal import archive, schema
from controller.journal.archive import FileCopy
from controller.journal.chain import JournalRow, RowContent, chain_rows, row_of
from controller.journal.closed_files import Continuation, list_closed_files, sha256
from controller.journal.errors import JournalDamaged, JournalError, write_errors
from controller.journal.history import open_file
from controller.journal.inspection import MARKED_KINDS, InspectedFile, inspect
from controller.journal.key_change import KEY_CHANGED
from controller.journal.lock import lock
from controller.journal.log_readers import LogReader
from controller.journal.mirror import open_copies
from controller.journal.schema import SELECT, check
from controller.journal.signing import CHECKPOINT, Signer, checkpoint, signed_by
from controller.journal.store import LOG_BYTES, Store
from controller.journal.trust import CONFIRMED, NO_TRUST, Trust

__all__ = ["LOG_BYTES", "ROLL_ROWS", "SELECT", "UNTIDY", "Journal", "check", "row_of"]

UNTIDY = 300
"""Rows after which `tidy` checkpoints SQLite's log."""
ROLL_ROWS = 50_000
"""Rows after which the live file is closed: a start reads all of it."""
SIGNED_KINDS = ("snapshot", KEY_CHANGED, CONFIRMED)
"""Kinds of rows that are signed at once."""
DISKS = ("journal", "mirror")
"""The names under which `durations` reports."""
MOST_DURATIONS = 1000


class Journal:
    """An open journal with its mirror, if it has one. Opening it checks every row of the live file.

    Raises JournalError if a file is damaged, foreign or not writable and no other copy can repair it;
    JournalUnconfirmed if `trust` does not cover it; JournalBusy if another daemon has it open.
    """

    def __init__(
        self,
        path: Path,
        mirror: Path | None = None,
        signer: Signer | None = None,
        *,
        most: int = ROLL_ROWS,
        trust: Trust = NO_TRUST,
    ) -> None:
        self._paths = [path] if mirror is None else [path, mirror]
        self.signer, self._most = signer, most
        self._untidy = UNTIDY
        self._tidying: Iterator[None] | None = None
        self._locks = list[int]()
        self._stores = list[Store]()
        self._copy: FileCopy | None = None
        self.slow_readers: dict[str, list[LogReader]] = {}
        """Other processes that keep a long write-ahead log from being emptied, by disk, as of the last
        `check`."""
        self._durations = [deque[float](maxlen=MOST_DURATIONS) for _ in self._paths]
        if mirror and not mirror.parent.is_dir():
            raise JournalError(
                f"mirror {mirror}: its folder {mirror.parent} is not there; mount its disk, or take "
                "journal.mirror out of the configuration"
            )
        try:
            for each in self._paths:
                self._locks.append(lock(each))
            found, healed = open_copies(self._paths, trust)
            self._begin(found)
            if records := trust.records(self.head):
                self.append([record.content() for record in records])
            recorded = (record.sentence for record in records)
            self.healed = (*healed, *recorded, *self._foreign_signatures())
            """What was repaired at the opening, which change of the key and which confirmation were recorded,
            and whether another key signed last: a sentence each."""
        except BaseException:
            self._release()
            raise

    def _begin(self, found: Sequence[InspectedFile]) -> None:
        self._stores = list[Store]()
        for number, each in enumerate(found):
            self._stores.append(Store(each, mirror=number > 0))
        self.head, self._marks, self._carried = found[0].last, found[0].marked_rows, found[0].base + 2

    def _foreign_signatures(self) -> Iterator[str]:
        """A sentence if another key signed last. Raises JournalDamaged for a checkpoint that is not
        signed."""
        for entry in self.latest(CHECKPOINT):
            before = self._stores[0].at(entry.row - 1)
            public = signed_by(entry.content, before) if before else None
            if public is None:
                raise JournalDamaged(
                    f"journal {self._paths[0]} is damaged: the checkpoint in row {entry.row} is not signed"
                )
            if self.signer and public != self.signer.public:
                yield (
                    f"journal {self._paths[0]}: its last checkpoint, row {entry.row}, is signed by the key "
                    f"{public.hex()}, not by this table's"
                )

    @property
    def full(self) -> bool:
        """Whether it is time to close the file: first `copy`, then `roll`."""
        rows = (self.head.row if self.head else 0) - self._stores[0].base
        return rows >= self._most and not any(store.slow or store.mirror_fault for store in self._stores)

    @property
    def mirror_fault(self) -> str:
        """What happened to the mirror since it was opened, as of the last `check`; empty: nothing."""
        return "".join(store.mirror_fault for store in self._stores[1:])

    @property
    def copied(self) -> bool:
        """Whether the file has been copied, which leaves little for `roll` to do."""
        return self._copy is not None and self._copy.done

    def append(self, contents: Sequence[RowContent]) -> None:
        """Write all of `contents` in one transaction; they are on disk when this returns. A snapshot is
        signed at once."""
        self.commit(contents)
        self.record_head()

    def commit(self, contents: Sequence[RowContent]) -> None:
        """As `append`, without the record of the last row. Call `record_head` after the devices: until
        then a cut end of the journal may go unnoticed."""
        if not self._stores:
            raise JournalError(f"journal {self._paths[0]} is closed")
        entries = self._entries(contents)
        for store, durations in zip(self._stores, self._durations, strict=True):
            store.append(entries)
            durations.append(store.took)
        self.head = entries[-1]
        self._untidy += len(entries)
        for entry in entries:
            if entry.content.kind in MARKED_KINDS:
                self._marks[entry.content.kind].append(entry.row)

    def record_head(self) -> None:
        """Write the record of the last row. Raises JournalError if the disk refuses it."""
        for store in self._stores:
            store.record_head()

    def durations(self) -> dict[str, list[float]]:
        """The seconds of each commit since the last call, by disk ("journal", "mirror")."""
        found = {disk: [*durations] for disk, durations in zip(DISKS, self._durations, strict=False)}
        for durations in self._durations:
            durations.clear()
        return found

    def check(self) -> None:
        """Raises JournalLost if a file of the journal was taken away or changed while it was open; all rows
        have been saved then. What happened to the mirror is in `mirror_fault`, and which processes keep a
        long log from being emptied in `slow_readers`."""
        for store in self._stores:
            store.check()
        self.slow_readers = {
            disk: store.slow_readers() for disk, store in zip(DISKS, self._stores, strict=False)
        }

    def tidy_step(self) -> bool:
        """Call this in each turn without rows: now and then it does what a later append would have to wait
        for. A step waits for the disk once. Returns whether there are more steps. Raises JournalError if the
        disk refuses a write."""
        if any(store.slow for store in self._stores):
            return False
        if self._tidying is None:
            if self._untidy < UNTIDY:
                return False
            self._untidy = 0
            self._tidying = chain.from_iterable(store.tidy_steps() for store in self._stores)
        for _ in self._tidying:
            return True
        self._tidying = None
        return False

    def tidy(self) -> None:
        """All steps at once."""
        while self.tidy_step():
            pass

    def copy(self) -> FileCopy:
        """Begin to close the file. The caller runs the copy while rows are appended, possibly in another
        thread."""
        self._stores[0].checkpointed_pages.clear()
        self._copy = FileCopy(self._stores[0].file, self._paths)
        return self._copy

    def roll(self, rows: Sequence[RowContent]) -> None:
        """Close the file into the archive and begin the next one. It starts with a row that names the closed
        file, then `rows`, the first of which holds what a start needs of everything before.

        Pages that were already copied are copied again only if they were written since. While another process
        reads the file, nothing happens and the file stays full.
        """
        if self.head is None or not all(store.checkpoint("TRUNCATE") for store in self._stores):
            return
        with write_errors(self._paths[0]):
            if self._copy is None or not self._copy.done:
                self.copy().run()
            self._close_file(self._copy or self.copy(), self.head, rows)

    def _close_file(self, copy: FileCopy, last: JournalRow, rows: Sequence[RowContent]) -> None:
        base = self._stores[0].base
        copy.finish(self._stores[0].checkpointed_pages)
        self._copy = self._tidying = None
        while self._stores:
            self._stores.pop().close()
        file = copy.close_into(self._paths[0], base, last)
        joint = Continuation(file.name, sha256(file), last.row, last.hash)
        entries = self._entries([joint.row_at(rows[0].at), *rows])
        content = schema.new_database(entries)
        archive.install(self._paths[0], content, entries[-1])
        for mirror in self._paths[1:]:
            with write_errors(mirror):
                copy.close_into(mirror, base, last)
                archive.install(mirror, content, entries[-1])
        self._begin([inspect(path) for path in self._paths])

    def since(self, row: int) -> Iterator[JournalRow]:
        """All rows of the live file after `row`, oldest first."""
        return self._stores[0].since(row)

    def live_row(self, row: int) -> JournalRow | None:
        """The row of this number; None if the live file does not have it."""
        return self._stores[0].at(row) if self._stores else None

    def latest(self, kind: str) -> list[JournalRow]:
        """The last rows of one of MARKED_KINDS in the live file, oldest first."""
        return [entry for row in self._marks[kind] if (entry := self._stores[0].at(row))]

    def first_snapshot(self) -> JournalRow | None:
        """The snapshot at the beginning of a file that continues a closed one; None in the first file."""
        return self._stores[0].at(self._carried) if self._stores[0].base else None

    def oldest(self) -> JournalRow | None:
        """The first row of the oldest file, here or at the mirror; of the live file if neither can be read.
        None for a journal without rows. Raises JournalError."""
        for path in self._paths:
            with suppress(JournalError):
                for closed in list_closed_files(path):
                    with open_file(closed.path) as reader:
                        return reader.at(closed.first)
        return self._stores[0].at(self._stores[0].base + 1)

    def close(self) -> None:
        """Sign the last row, close the files and release the locks."""
        try:
            if self.signer and self.head and self.head.content.kind != CHECKPOINT and self._writable():
                self.append([checkpoint(self.signer, self.head.content.at, self.head)])
        finally:
            self._release()

    def _writable(self) -> bool:
        return bool(self._stores) and not any(store.failed for store in self._stores)

    def _release(self) -> None:
        with ExitStack() as stack:
            for lock in self._locks:
                stack.callback(os.close, lock)
            for store in self._stores:
                stack.callback(store.close)
            self._locks, self._stores = [], []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _entries(self, contents: Sequence[RowContent]) -> list[JournalRow]:
        entries = chain_rows(self.head, contents)
        if self.signer and any(row.kind in SIGNED_KINDS for row in contents):
            signed = checkpoint(self.signer, contents[-1].at, entries[-1])
            entries += chain_rows(entries[-1], [signed])
        return entries
