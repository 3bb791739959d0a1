"""A halted table: no port is open, the page is served, the watchdog is fed, until somebody ends it."""

import asyncio
import signal
from contextlib import suppress
from socket import socket
from ssl import SSLContext

from controller.halted.page import Halted, application
from controller.monitor.changes import Changes
from controller.monitor.serve import serve
from controller.notify import Notifier

BREATH = 1.0
"""Seconds between two signs of life, at most."""


class HaltedError(Exception):
    """The table was halted, and somebody ended it; the text says why it was."""


async def stay(halted: Halted, listener: socket, notifier: Notifier, tls: SSLContext | None = None) -> None:
    """Serve the page until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    serving = asyncio.create_task(serve(application(halted), Changes(), listener, tls), name="web")
    notifier.ready(f"Halted: {halted.cause.why}")
    while not (stop.is_set() or serving.done()):
        if notifier.watchdog:
            notifier.feed()
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), _breath(notifier))
    notifier.stopping()
    serving.cancel()
    await asyncio.wait({serving})
    if not serving.cancelled() and (error := serving.exception()):
        raise error


def _breath(notifier: Notifier) -> float:
    return min(BREATH, notifier.watchdog / 4 or BREATH)
