"""Serves the page of a halted table, which opens no device port, and feeds the watchdog until the table ends
or restarts.

After a failed write the table restarts by itself, but only once in a quarter of an hour. A disk that fails a
single write usually recovers soon, and a start checks everything that a person could check. If the disk fails
again, a person has to look at it."""

import asyncio
import math
import signal
from collections.abc import Callable
from contextlib import suppress

import structlog

from controller.daemon.bulkhead import Bulkhead
from controller.daemon.core_socket import serve_socket
from controller.daemon.halted.core import halted_core
from controller.daemon.halted.page import HaltedTable, application
from controller.journal.errors import JournalUnwritten
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.address import Address
from controller.monitor.server.server import serve_at
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
    halted: HaltedTable,
    address: Address,
    place: SocketPlace,
    notifier: Notifier,
    pause: float | None = None,
) -> bool:
    """Serve the table socket, and the page as soon as its address is available, until SIGTERM or SIGINT or
    until `pause` seconds have passed. Returns true if the pause is over, false after a signal."""
    loop = asyncio.get_running_loop()
    end = math.inf if pause is None else loop.time() + pause
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    core, keep = halted_core(halted), Bulkhead(CollectorRegistry()).keep_running
    server = SocketServer(core, place.users)
    serving = {
        asyncio.create_task(keep("web", lambda: _serve(halted, core, address)), name="web"),
        asyncio.create_task(keep("socket", lambda: serve_socket(place, server)), name="socket"),
    }
    notifier.ready(f"Halted: {halted.cause.why}")
    while not stop.is_set() and loop.time() < end:
        if notifier.watchdog:
            notifier.feed()
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), min(_feed_interval(notifier), end - loop.time()))
    if stop.is_set():
        notifier.stopping()
    else:
        notifier.restarting()
    for task in serving:
        task.cancel()
    await asyncio.wait(serving)
    return not stop.is_set()


async def _serve(halted: HaltedTable, core: Core, address: Address) -> None:
    log = structlog.get_logger("tableside.halted")

    def report(why: str) -> None:
        if why:
            log.error("no page", why=why)
        else:
            log.info("page", address=address.url)

    await serve_at(address, application(halted, core.metrics()), ChangeNotifier(), report)


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
