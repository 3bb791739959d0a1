"""A log whose lines a client can cause, but not as many as it likes."""

import logging
import time
from collections.abc import Callable
from typing import Any

INTERVAL = 60.0
"""Seconds between two lines with the same message."""
MOST_MESSAGES = 100
"""Messages that are remembered. Beyond this number, all are forgotten."""


class LimitedLog(logging.LoggerAdapter[logging.Logger]):
    """Writes each message at most once in INTERVAL, separately for each class of exceptions. The next line
    with it says how many were left out. `steady`: a monotonic clock in seconds."""

    def __init__(self, logger: logging.Logger, steady: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logger, {})
        self._steady = steady
        self._next: dict[tuple[object, type], float] = {}
        """When each message may be written again."""
        self._left_out: dict[tuple[object, type], int] = {}

    @property
    def level(self) -> int:
        """The level of the logger, which uvicorn asks for."""
        return self.logger.level

    def log(self, level: int, msg: object, *args: object, **kwargs: Any) -> None:
        """Write the message, or only count it."""
        now, kind = self._steady(), (msg, type(kwargs.get("exc_info")))
        if now < self._next.get(kind, now):
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return
        if len(self._next) >= MOST_MESSAGES:
            self._next.clear()
            self._left_out.clear()
        self._next[kind] = now + INTERVAL
        count = self._left_out.pop(kind, 0)
        super().log(level, f"{msg} ({count} more like this were left out)" if count else msg, *args, **kwargs)
