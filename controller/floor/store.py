"""The floor's store: one file for each gaming day in a folder."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.calendar import Calendar, calendar_date
from controller.floor.batch import Batch
from controller.floor.day_file import DayFile, JournalName

PREFIX, SUFFIX = "day-", ".sqlite"
PARTS = ("-shm", "-wal", "")
"""What SQLite adds to the name of a file for those that belong to it; the file itself goes last."""


class FloorStore:
    """The store in `folder`, which is made if it is missing. `clock`: seconds of Unix time. Use it as a
    context. Raises StoreError for a file that cannot be used."""

    def __init__(self, folder: Path, calendar: Calendar, clock: Callable[[], float]) -> None:
        self._folder, self._calendar, self._clock = folder, calendar, clock
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        days = self.days()
        self._day = days[-1] if days else self._today()
        self._file = self._open(self._day)

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
            fresh = self._open(today)
            self._file.close()
            self._file, self._day = fresh, today
        return self._file

    def days(self) -> list[date]:
        """The gaming days of which there is a file, oldest first."""
        names = (path.name for path in self._folder.glob(f"{PREFIX}*{SUFFIX}"))
        return sorted(calendar_date(name.removeprefix(PREFIX).removesuffix(SUFFIX)) for name in names)

    def retire(self, days: int) -> list[date]:
        """Delete the files of gaming days that ended more than so many days ago; never the newest one.
        Returns their days. Raises OSError."""
        oldest = self._today() - timedelta(days)
        over = [day for day in self.days() if day < oldest and day != self._day]
        for day in over:
            for suffix in PARTS:
                self._path(day).with_name(f"{self._path(day).name}{suffix}").unlink(missing_ok=True)
        return over

    def segments(self, name: JournalName) -> Iterator[Batch]:
        """All batches of a journal that are stored, oldest first."""
        for day in self.days():
            if day == self._day:
                yield from self._file.segments(name)
                continue
            with closing(DayFile(self._path(day))) as file:
                yield from file.segments(name)

    def _open(self, day: date) -> DayFile:
        """A new file continues the one before it. After a crash it may be there and empty."""
        before = [earlier for earlier in self.days() if earlier < day]
        return DayFile(self._path(day), self._path(before[-1]) if before else None)

    def _today(self) -> date:
        return self._calendar.day_of(self._clock())

    def _path(self, day: date) -> Path:
        return self._folder / f"{PREFIX}{day.isoformat()}{SUFFIX}"
