"""Notifications for systemd: ready, status, stopping, and the watchdog, fed only after finished work."""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress

START = 120.0
"""Seconds that a start may take; the unit's TimeoutStartSec has the same value."""


class Notifier:
    """Reports the state of the daemon to systemd. Does nothing if NOTIFY_SOCKET is not set."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._status = ""
        limit = environment.get("WATCHDOG_USEC", "0")
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog = int(limit) / 1e6 if mine and limit.isdigit() else 0.0
        """Seconds within which the watchdog must be fed; 0 if there is no watchdog."""

    def ready(self, status: str) -> None:
        self._status = status
        limit = f"\nWATCHDOG_USEC={round(self.watchdog * 1e6)}" if self.watchdog else ""
        self._say(f"READY=1\nSTATUS={status}{limit}")

    def restarting(self) -> None:
        """Allow START seconds until the next keep-alive, which comes when the table is ready again."""
        if self.watchdog:
            self._say(f"WATCHDOG=1\nWATCHDOG_USEC={round(START * 1e6)}")

    def status(self, status: str) -> None:
        """Send the status, a sentence, if it has changed."""
        if status != self._status:
            self._status = status
            self._say(f"STATUS={status}")

    def stopping(self) -> None:
        self._say("STOPPING=1")

    def feed(self) -> None:
        self._say("WATCHDOG=1")

    def close(self) -> None:
        self._socket.close()

    def _say(self, text: str) -> None:
        if not self._address:
            return
        address = self._address.replace("@", "\0", 1) if self._address.startswith("@") else self._address
        with suppress(OSError):  # the listener is gone; the daemon continues
            self._socket.sendto(text.encode(), address)


class Watchdog:
    """Feeds systemd's watchdog at most four times in each limit, and only after a finished batch of the
    table."""

    def __init__(self, notifier: Notifier, clock: Callable[[], float]) -> None:
        self._notifier, self._clock = notifier, clock
        self._next = clock()

    def feed_when_due(self) -> None:
        """Call it after each finished batch."""
        now = self._clock()
        if self._notifier.watchdog and now >= self._next:
            self._next = now + self._notifier.watchdog / 4
            self._notifier.feed()
