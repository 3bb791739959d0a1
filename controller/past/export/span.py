"""The span of an export: from and to a round, a date, or a time."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

ALLOWED = "a round's number, a date as 2026-11-20, or a time as 2026-11-20T18:30, in UTC unless it says more"


@dataclass(frozen=True, slots=True)
class SpanEnd:
    """A round, or seconds of Unix time."""

    round: int | None = None
    at: float | None = None


@dataclass(frozen=True, slots=True)
class ExportSpan:
    """From `first` to `last`: a round at the end is included, a time is not."""

    first: SpanEnd = SpanEnd()
    last: SpanEnd = SpanEnd()

    def holds(self, number: int, at: float) -> bool:
        first, last = self.first, self.last
        return (
            (first.round is None or number >= first.round)
            and (last.round is None or number <= last.round)
            and (first.at is None or at >= first.at)
            and (last.at is None or at < last.at)
        )


def first(written: str) -> SpanEnd:
    """The value of --from. Raises ValueError."""
    return _bound(written, days=0)


def last(written: str) -> SpanEnd:
    """The value of --to; a date includes its day. Raises ValueError."""
    return _bound(written, days=1)


def _bound(written: str, days: int) -> SpanEnd:
    if written.isascii() and written.isdigit() and len(written) < 8 and int(written):
        return SpanEnd(round=int(written))
    try:
        if "T" not in written:
            day = date.fromisoformat(written) + timedelta(days)
            return SpanEnd(at=datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
        time = datetime.fromisoformat(written)
        return SpanEnd(at=(time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        raise ValueError(f"{written!r} is not an end of a span; allowed: {ALLOWED}") from None
