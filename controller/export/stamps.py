"""Times as they are written for others."""

from datetime import UTC, datetime


def stamp(at: float) -> str:
    """Seconds of Unix time as ISO 8601 in UTC, to the microsecond: "2026-11-20T18:30:05.250000Z"."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
