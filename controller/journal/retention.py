"""Closed files that were kept long enough: the oldest is found, then removed once a row of the journal says
so.

A clock that is set wrong must not cost a file. So a file must be older than the retention by the clock, and
later files must also have rows of many other days.
"""

from dataclasses import dataclass
from pathlib import Path

from controller.journal import names
from controller.journal.chain import JournalRow
from controller.journal.closed_files import ClosedFile, check_continuation, list_closed_files
from controller.journal.errors import JournalError
from controller.journal.history import open_file

DAY = 86_400
DAYS_KEPT = 90
"""Days of which later files must have rows before a file may be removed."""


@dataclass(frozen=True, slots=True)
class ExpiredFile:
    """A closed file that may be removed, by its name, and its SHA-256."""

    file: str
    first: int
    last: int
    sha256: str


@dataclass(frozen=True, slots=True)
class FileEnds:
    """The first and the last row of a closed file, and the `days` of its rows, as days since 1970."""

    first: JournalRow
    last: JournalRow
    days: frozenset[int]


class RetentionShelf:
    """The closed files of the journal at `path` and of its mirror, which are kept for `days`. It opens only
    closed files, so it may run in another thread."""

    def __init__(self, path: Path, mirror: Path | None, days: int) -> None:
        self._folders = [names.archive(each) for each in (mirror, path) if each]
        self._path, self._days = path, days
        self._known: dict[str, FileEnds] = {}

    @property
    def newest(self) -> str:
        """The name of the newest closed file; empty if there is none. Raises JournalError."""
        found = list_closed_files(self._path)
        return found[-1].path.name if found else ""

    def due(self, now: float) -> ExpiredFile | None:
        """The oldest file, if it may be removed at `now`, in seconds of Unix time. Raises JournalError if it
        is not as it was when it was closed: then it is evidence and stays."""
        files = list_closed_files(self._path)
        if len(files) < 2:
            return None
        ends = self._ends(files[0])
        if now - ends.last.content.at <= self._days * DAY or not self._followed(ends, files[1:]):
            return None
        after = self._ends(files[1])
        digest = check_continuation(files[1].path, after.first, files[0], ends.last.hash)
        return ExpiredFile(files[0].path.name, files[0].first, files[0].last, digest)

    def remove(self, due: ExpiredFile) -> None:
        """Remove it, from the mirror first: a file that only the mirror has would be copied back. Raises
        JournalError."""
        for place in self._folders:
            try:
                (place / due.file).unlink(missing_ok=True)
                names.sync(place)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise JournalError(f"{place / due.file} cannot be taken away: {error.strerror}") from error
        self._known.pop(due.file, None)

    def _followed(self, ends: FileEnds, files: list[ClosedFile]) -> bool:
        """Whether later files have rows of enough later days; the newest files are read first."""
        since = _day(ends.last)
        days: set[int] = set()
        for file in reversed(files):
            days.update(day for day in self._ends(file).days if day > since)
            if len(days) >= DAYS_KEPT:
                return True
        return False

    def _ends(self, file: ClosedFile) -> FileEnds:
        name = file.path.name
        if name not in self._known:
            self._known[name] = _read(file)
        return self._known[name]


def _read(file: ClosedFile) -> FileEnds:
    """Reads only the first and the last row if they are of one day or of two successive days."""
    with open_file(file.path) as reader:
        first, last = reader.at(file.first), reader.at(file.last)
        days = {_day(first), _day(last)}
        if max(days) - min(days) > 1:
            query = "SELECT DISTINCT CAST(at / ? AS INTEGER) FROM journal"
            days.update(day for (day,) in reader.select(query, (DAY,)))
    return FileEnds(first, last, frozenset(days))


def _day(entry: JournalRow) -> int:
    return int(entry.content.at // DAY)
