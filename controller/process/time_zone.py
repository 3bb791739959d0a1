"""The time zone of local times: that of the process, or another one for a while."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from zoneinfo import ZoneInfo

_IN_USE: ContextVar[ZoneInfo | None] = ContextVar("time zone in use", default=None)


def set_time_zone(name: str) -> None:
    """Local times of this process, and of those that it starts, are in the zone with this name of the time
    zone database, whatever the zone of the computer is."""
    os.environ["TZ"] = name
    time.tzset()


def time_zone_in_use() -> ZoneInfo | None:
    """The zone of local times as `astimezone` takes it; None for that of the process."""
    return _IN_USE.get()


@contextmanager
def using_time_zone(zone: ZoneInfo | None) -> Iterator[None]:
    """Local times are in this zone while the context lasts."""
    before = _IN_USE.set(zone)
    try:
        yield
    finally:
        _IN_USE.reset(before)
