"""Gaming days and shifts by the clock of the house, and local times as people write them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOURS = 'a time of day, as "06:00"'


def calendar_date(text: str) -> date:
    """The date in the form "2026-11-19" only. Raises ValueError."""
    found = date.fromisoformat(text)
    if found.isoformat() != text:
        raise ValueError(f"{text!r} is not a date; allowed: as 2026-11-19")
    return found


def time_of_day(text: str) -> time:
    """The time of day in the form "06:00". Raises ValueError."""
    if len(text) != len("06:00"):
        raise ValueError(f"{text!r} is not {HOURS}")
    return time.fromisoformat(text)


def named_zone(text: str) -> ZoneInfo:
    """A zone of the time zone database, such as "Europe/Berlin". Raises ValueError."""
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{text!r} is not a time zone; allowed: a name as Europe/Berlin") from None


def instant(local_time: datetime) -> float:
    """The Unix time of a local time. A time that the clock skips is the instant of the jump."""
    at = local_time.timestamp()
    back = datetime.fromtimestamp(at, UTC).astimezone(local_time.tzinfo)
    if back.replace(tzinfo=None) == local_time.replace(tzinfo=None):
        return at
    return _clock_change(local_time)


def _clock_change(local: datetime) -> float:
    """The instant at which the clock jumps over a local time; the two readings of that time are before and
    after it."""
    before, after = sorted(local.replace(fold=fold).timestamp() for fold in (0, 1))
    offset = datetime.fromtimestamp(before, local.tzinfo).utcoffset()
    while after - before > 1:
        middle = (before + after) // 2
        if datetime.fromtimestamp(middle, local.tzinfo).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after


ALLOWED = 'a gaming day, as "2026-11-19", or the begin of a shift, as "2026-11-19 14:00"'
LONGEST = 400
"""The most days in one report."""


class UnknownPeriod(ValueError):
    """A text names no period; the message says which texts do."""


@dataclass(frozen=True, slots=True)
class Period:
    """From `begins` on and before `ends`, seconds of Unix time; `key` names it in addresses, `title` for
    people."""

    key: str
    title: str
    begins: float
    ends: float

    def __post_init__(self) -> None:
        if not self.begins < self.ends:
            raise UnknownPeriod(f"{self.title} ends before it begins; allowed: a later end")
        if self.ends - self.begins > LONGEST * 86400:
            raise UnknownPeriod(f"{self.title} is too long; allowed: at most {LONGEST} days")

    def holds(self, at: float) -> bool:
        return self.begins <= at < self.ends


@dataclass(frozen=True, slots=True)
class Calendar:
    """When a gaming day and its shifts begin, such as "06:00", and the time zone.

    A time that the clock skips is the instant of the jump; of a time that comes twice, the first is meant.
    Raises ValueError for an invalid time of day, zone, or order of shifts.
    """

    day_begins: str = "06:00"
    shifts: tuple[str, ...] = ("06:00", "14:00", "22:00")
    zone: str = "UTC"

    def __post_init__(self) -> None:
        time_of_day(self.day_begins)
        named_zone(self.zone)
        turns = [self._since_begin(shift) for shift in self.shifts]
        if not turns or turns[0] or any(later <= earlier for earlier, later in pairwise(turns)):
            raise ValueError(
                f"shifts {', '.join(self.shifts)}; allowed: the first one at {self.day_begins}, "
                f"each later than the one before"
            )

    @property
    def clock(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    def day(self, of: date) -> Period:
        """The gaming day that begins on this date."""
        begins, ends = self._at(of, self.day_begins), self._at(of + timedelta(1), self.day_begins)
        return Period(of.isoformat(), f"gaming day {of.isoformat()}", begins, ends)

    def shifts_of(self, of: date) -> tuple[Period, ...]:
        """The shifts of a gaming day, in order; together they are the day."""
        begins = [self._at(self._date(of, shift), shift) for shift in self.shifts]
        ends = [*begins[1:], self.day(of).ends]
        return tuple(
            self._shift(self._date(of, shift), shift, begin, end)
            for shift, begin, end in zip(self.shifts, begins, ends, strict=True)
            if begin < end  # a clock that jumps may leave nothing of a shift
        )

    def day_of(self, at: float) -> date:
        """The gaming day of a Unix time."""
        local = datetime.fromtimestamp(at, self.clock).date()
        days = (local - timedelta(1), local, local + timedelta(1))
        return next(day for day in days if self.day(day).holds(at))

    def named(self, text: str) -> Period:
        """The day or shift that a text names. Raises UnknownPeriod."""
        words = text.replace("T", " ", 1).split()
        try:
            of = calendar_date(words[0])
            if len(words) == 1:
                return self.day(of)
            time_of_day(words[1])
            known = [*self.shifts_of(of - timedelta(1)), *self.shifts_of(of)]
        except (IndexError, ValueError, OverflowError):
            raise UnknownPeriod(f"{text!r} is not a period; allowed: {ALLOWED}") from None
        key = f"{of.isoformat()}T{words[1]}"
        for shift in known:
            if shift.key == key and len(words) == 2:
                return shift
        raise UnknownPeriod(f"no shift begins at {text!r}; allowed: {', '.join(self.shifts)}")

    def between(self, first: float, last: float) -> Period:
        """Any span of time. Raises UnknownPeriod."""
        titles = f"{self.format_time(first)} to {self.format_time(last)}"
        return Period(f"{int(first)}-{int(last)}", titles, first, last)

    def instant(self, text: str, *, end: bool = False) -> float:
        """The Unix time of a date (the beginning or end of its gaming day) or of a local time, such as
        "2026-11-19T18:30". Raises UnknownPeriod."""
        try:
            if len(text) == len("2026-11-19"):
                day = self.day(calendar_date(text))
                return day.ends if end else day.begins
            time_ = datetime.fromisoformat(text)
            return instant(time_.replace(tzinfo=self.clock)) if time_.tzinfo is None else time_.timestamp()
        except (ValueError, OverflowError) as error:
            allowed = "a date as 2026-11-19, or a time as 2026-11-19T18:30"
            raise UnknownPeriod(f"{text!r} is not a time; allowed: {allowed}") from error

    def format_time(self, at: float, form: str = "%Y-%m-%d %H:%M") -> str:
        """A Unix time by the clock of the house."""
        return datetime.fromtimestamp(at, self.clock).strftime(form)

    def periods(self, stamps: Iterator[float]) -> dict[date, dict[str, int]]:
        """How many of the times are in each day and in each shift, by its key; the latest day first."""
        counts: dict[date, dict[str, int]] = {}
        known: list[tuple[date, Period]] = []
        for at in stamps:
            if not known or not self.day(known[0][0]).holds(at):
                of = self.day_of(at)
                known = [(of, period) for period in (self.day(of), *self.shifts_of(of))]
            for of, period in known:
                counted = counts.setdefault(of, {})
                counted[period.key] = counted.get(period.key, 0) + period.holds(at)
        return dict(sorted(counts.items(), reverse=True))

    def _shift(self, of: date, shift: str, begins: float, ends: float) -> Period:
        return Period(f"{of.isoformat()}T{shift}", f"shift {of.isoformat()} {shift}", begins, ends)

    def _date(self, of: date, shift: str) -> date:
        """The date of a shift: one that begins after midnight belongs to the gaming day before."""
        return of + timedelta(time_of_day(shift) < time_of_day(self.day_begins))

    def _since_begin(self, shift: str) -> int:
        minutes = [60 * at.hour + at.minute for at in (time_of_day(shift), time_of_day(self.day_begins))]
        return (minutes[0] - minutes[1]) % (24 * 60)

    def _at(self, of: date, shift: str) -> float:
        return instant(datetime.combine(of, time_of_day(shift), self.clock))


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """`pause`: after this many seconds without the end of a round there is a pause. `target`: the wanted
    rounds per hour; 0: none."""

    calendar: Calendar = field(default_factory=Calendar)
    pause: float = 600.0
    target: int = 0
