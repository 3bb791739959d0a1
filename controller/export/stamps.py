"""Times as they are written for others."""

from datetime import UTC, datetime


def stamp(at: float) -> str:
    """Seconds of Unix time as ISO 8601 in UTC, to the microsecond: "2026-11-20T18:30:05.250000Z"."""
    return datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
