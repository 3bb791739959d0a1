"""Local times as people write them, and when they are."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOURS = 'a time of day, as "06:00"'


def calendar_date(written: str) -> date:
    """The date that "2026-11-19" names, and no other way of writing it; raises ValueError."""
    found = date.fromisoformat(written)
    if found.isoformat() != written:
        raise ValueError(f"{written!r} is no date; allowed: as 2026-11-19")
    return found


def hour(written: str) -> time:
    """The time of day that "06:00" names; raises ValueError."""
    if len(written) != len("06:00"):
        raise ValueError(f"{written!r} is not {HOURS}")
    return time.fromisoformat(written)


def named_zone(written: str) -> ZoneInfo:
    """A zone of the time zone database, as "Europe/Berlin"; raises ValueError."""
    try:
        return ZoneInfo(written)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{written!r} is no time zone; allowed: a name as Europe/Berlin") from None


def instant(local: datetime) -> float:
    """Of a local time: what the clock skips is taken as the instant of the jump."""
    at = local.timestamp()
    back = datetime.fromtimestamp(at, UTC).astimezone(local.tzinfo)
    if back.replace(tzinfo=None) == local.replace(tzinfo=None):
        return at
    return _jump(local)


def _jump(local: datetime) -> float:
    """When the clock jumps over a local time that there is not: both ways of reading it are on its sides."""
    before, after = sorted(local.replace(fold=fold).timestamp() for fold in (0, 1))
    offset = datetime.fromtimestamp(before, local.tzinfo).utcoffset()
    while after - before > 1:
        middle = (before + after) // 2
        if datetime.fromtimestamp(middle, local.tzinfo).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after
