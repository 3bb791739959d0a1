"""The files of a journal, opened and checked for one search or report.

FileReader checks the rows that it hands out. A row whose kind or time was changed is not selected, and so not
handed out. A file in which rows are selected is therefore checked as a whole: a closed one by its SHA-256,
which the file after it names; the newest one row by row.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from controller.journal.history import FileReader, History, HistoryFile, check_closed, read_errors


@dataclass(slots=True)
class CheckedRows:
    """The rows of the newest file that were checked already, up to the row `last` with this hash. The hash
    also tells whether they are those of another file."""

    last: int = 0
    hash: bytes = b""

    def check(self, reader: FileReader, first: int) -> None:
        """Checks the other rows of the file, whose first row is `first`. Raises JournalError."""
        goes_on = first <= self.last and reader.select(_HASH, (self.last,)) == [(self.hash,)]
        for row in reader.rows(self.last + 1 if goes_on else first):
            self.last, self.hash = row.row, row.hash


_HASH = "SELECT hash FROM journal WHERE row = ?"


class OpenJournal:
    """The journal at `path` as it is now. `checked`: what need not be checked again of its newest file. Use
    it in a `with` block. Every method raises JournalError for a file that cannot be read or is damaged, and
    names it."""

    def __init__(self, path: Path, checked: CheckedRows | None = None) -> None:
        self.history = History(path)
        self.files = self.history.files()
        self._after: Mapping[HistoryFile, HistoryFile] = dict(pairwise(self.files))
        self._checked = checked or CheckedRows()
        self._opened = ExitStack()
        self._live_reader: FileReader | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: Any) -> None:
        self._opened.close()

    @contextmanager
    def open(self, file: HistoryFile) -> Iterator[FileReader]:
        """To open the live file makes a copy of it in memory, so it is opened once."""
        if file.closed:
            with self.history.open(file) as reader:
                yield reader
            return
        if self._live_reader is None:
            self._live_reader = self._opened.enter_context(self.history.open(file))
        with read_errors(file.path):
            yield self._live_reader

    def is_final(self, file: HistoryFile) -> bool:
        """Whether the file cannot change any more: the file after it names its SHA-256."""
        return file in self._after

    def check(self, file: HistoryFile, reader: FileReader) -> None:
        """Checks every row of an open file."""
        if not self.is_final(file):
            self._checked.check(reader, file.first)
            return
        with self.open(self._after[file]) as after:
            check_closed(file, reader, after)
