"""Tells the clients of the table socket why the table is halted, opens no device port, and feeds the watchdog
until the table ends or restarts.

After a failed write the table restarts by itself, but only once in a quarter of an hour. A disk that fails a
single write usually recovers soon, and a start checks everything that a person could check. If the disk fails
again, a person has to look at it."""

import asyncio
import math
import signal
from collections.abc import Callable
from contextlib import suppress

from controller.daemon.bulkhead import Bulkhead
from controller.daemon.core_socket import serve_socket
from controller.journal.errors import JournalUnwritten
from controller.process.hangup import on_hangup
from controller.process.notify import Notifier
from controller.socket.core import Core
from controller.socket.listening import SocketPlace
from controller.socket.server import SocketServer
from controller.telemetry.prometheus.registry import CollectorRegistry

LONGEST_FEED_INTERVAL = 1.0
"""The most seconds between two keep-alives of the watchdog."""


class HaltedError(Exception):
    """The table was halted, and a person ended it; the text is the cause of the halt."""


async def serve_halted(
    core: Core,
    why: str,
    place: SocketPlace,
    notifier: Notifier,
    pause: float | None = None,
) -> bool:
    """Serve the table socket, which says `why` the table is halted, until SIGTERM or SIGINT or until `pause`
    seconds have passed. Returns true if the pause is over, false after a signal."""
    loop = asyncio.get_running_loop()
    end = math.inf if pause is None else loop.time() + pause
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    on_hangup(lambda: None, stop.set)  # a halted table needs a start, which reads everything
    server, keep = SocketServer(core, place.users), Bulkhead(CollectorRegistry()).keep_running
    serving = asyncio.create_task(keep("socket", lambda: serve_socket(place, server)), name="socket")
    notifier.ready(f"Halted: {why}")
    while not stop.is_set() and loop.time() < end:
        if notifier.watchdog:
            notifier.feed()
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), min(_feed_interval(notifier), end - loop.time()))
    if stop.is_set():
        notifier.stopping()
    else:
        notifier.restarting()
    serving.cancel()
    await asyncio.wait({serving})
    return not stop.is_set()


def _feed_interval(notifier: Notifier) -> float:
    return min(LONGEST_FEED_INTERVAL, notifier.watchdog / 4 or LONGEST_FEED_INTERVAL)


PAUSE = 10.0
"""Seconds from the failure to the restart."""
WINDOW = 900.0
"""Seconds within which a second failure halts the table for good."""


class RestartPolicy:
    """Decides whether the table restarts by itself. `steady` returns the seconds of a monotonic clock."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady, self._last = steady, -math.inf

    def pause_after(self, failed: BaseException) -> float | None:
        """Seconds until the table restarts after this failure; None if a person has to restart it."""
        if not isinstance(failed, JournalUnwritten):
            return None
        now = self._steady()
        again = now - self._last >= WINDOW
        self._last = now
        return PAUSE if again else None
