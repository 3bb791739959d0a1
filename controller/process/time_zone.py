"""The time zone of a process."""

import os
import time


def set_time_zone(name: str) -> None:
    """Local times of this process, and of those that it starts, are in the zone with this name of the time
    zone database, whatever the zone of the computer is."""
    os.environ["TZ"] = name
    time.tzset()
