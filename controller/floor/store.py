"""The floor's store: one file for each gaming day in a folder."""

import json
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.calendar import Calendar, calendar_date
from controller.floor.batch import Batch
from controller.floor.day_file import DayFile, DayReader, FloorHead, JournalName
from controller.floor.derived.records import StoredRound
from controller.floor.derived.tables import Journal
from controller.floor.store_file import StoreError
from controller.journal.history import TimeSpan

PREFIX, SUFFIX = "day-", ".sqlite"
SPAN = ".span"
"""What is added to the name of a file for the record of its earliest and latest time."""
PARTS = ("-shm", "-wal", SPAN, "")
"""What is added to the name of a file for those that belong to it; the file itself goes last."""


class FloorArchive:
    """The files in `folder`, which are only read, also while the floor's service writes them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def days(self) -> list[date]:
        """The gaming days of which there is a file, oldest first."""
        names = (path.name for path in self.folder.glob(f"{PREFIX}*{SUFFIX}"))
        return sorted(calendar_date(name.removeprefix(PREFIX).removesuffix(SUFFIX)) for name in names)

    def path(self, day: date) -> Path:
        return self.folder / f"{PREFIX}{day.isoformat()}{SUFFIX}"

    def open(self, day: date) -> DayReader:
        """Use it as a context. Raises StoreError."""
        path = self.path(day)
        if not path.is_file():
            days = self.days()
            allowed = f"{days[0]} to {days[-1]}" if days else "nothing is stored yet"
            raise StoreError(f"{day}: the floor has no file of this gaming day; allowed: {allowed}")
        return DayReader(path)

    def spans(self) -> list[tuple[date, TimeSpan]]:
        """The days of which there are rows, newest first, with the times of the rows in their files: from
        `since` to `until`, both included. Raises StoreError."""
        found = [(day, self._span(day)) for day in reversed(self.days())]
        return [(day, span) for day, span in found if span]

    def note_span(self, day: date) -> None:
        """Record the times of a file that is not written any more, so that a query can skip it without
        opening it. Raises StoreError, OSError."""
        with self.open(day) as file:
            span = file.derived.span()
        if span:
            note = self._note(day)
            fresh = note.with_suffix(f"{SPAN}-new")
            fresh.write_text(json.dumps([span.since, span.until]), "ascii")
            fresh.replace(note)

    def _span(self, day: date) -> TimeSpan | None:
        try:
            since, until = json.loads(self._note(day).read_text("ascii"))
            return TimeSpan(float(since), float(until))
        except (FileNotFoundError, ValueError, TypeError):
            with self.open(day) as file:
                return file.derived.span()

    def _note(self, day: date) -> Path:
        path = self.path(day)
        return path.with_name(f"{path.name}{SPAN}")

    def newest_first(self) -> Iterator[DayReader]:
        """Each file, open until the next one is asked for. Raises StoreError."""
        for day in reversed(self.days()):
            with self.open(day) as file:
                yield file

    def heads(self) -> dict[JournalName, FloorHead]:
        """Where each journal ends; empty before anything is stored. Raises StoreError."""
        for file in self.newest_first():
            return file.heads()
        return {}

    def segments(self, name: JournalName) -> Iterator[Batch]:
        """All batches of a journal that are stored, oldest first. Raises StoreError."""
        for day in self.days():
            with self.open(day) as file:
                yield from file.segments(name)


class FloorStore(FloorArchive):
    """The store in `folder` as the one program that writes has it; the folder is made if it is missing.
    `clock`: seconds of Unix time. Use it as a context. Raises StoreError for a file that cannot be used."""

    def __init__(self, folder: Path, calendar: Calendar, clock: Callable[[], float]) -> None:
        super().__init__(folder)
        self._calendar, self._clock = calendar, clock
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        days = self.days()
        self._day = days[-1] if days else self._today()
        self._file = self._open_to_write(self._day)
        for day in days[:-1]:
            DayFile(self.path(day)).close()  # brings a file of the version before up to date
            if not self._note(day).exists():
                self.note_span(day)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def newest(self) -> DayFile:
        """The file that is written to. A new gaming day begins a new one; a clock that goes back does not."""
        today = self._today()
        if today > self._day:
            fresh = self._open_to_write(today)
            self._file.close()
            self.note_span(self._day)
            self._file, self._day = fresh, today
        return self._file

    def retire(self, days: int) -> list[date]:
        """Delete the files of gaming days that ended more than so many days ago; never the newest one.
        Returns their days. Raises OSError."""
        oldest = self._today() - timedelta(days)
        over = [day for day in self.days() if day < oldest and day != self._day]
        for day in over:
            for suffix in PARTS:
                self.path(day).with_name(f"{self.path(day).name}{suffix}").unlink(missing_ok=True)
        return over

    def earlier_round(self, journal: Journal, number: int) -> StoredRound | None:
        """A round in the files before the newest one, as it was corrected last; None if none has it."""
        return find_earlier(self, self._day)(journal, number)

    def _open_to_write(self, day: date) -> DayFile:
        """A new file continues the one before it. After a crash it may be there and empty."""
        before = [earlier for earlier in self.days() if earlier < day]
        return DayFile(self.path(day), self.path(before[-1]) if before else None)

    def _today(self) -> date:
        return self._calendar.day_of(self._clock())


def find_earlier(archive: FloorArchive, before: date) -> Callable[[Journal, int], StoredRound | None]:
    """Finds rounds in the files of the days before this one. Raises StoreError."""

    def find(journal: Journal, number: int) -> StoredRound | None:
        for day in reversed([each for each in archive.days() if each < before]):
            with archive.open(day) as file:
                if found := file.derived.round(journal, number):
                    return found
        return None

    return find
