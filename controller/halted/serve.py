"""A halted table opens no port, serves its page and feeds the watchdog until it ends or restarts."""

import asyncio
import math
import signal
from contextlib import suppress

import structlog
from prometheus_client import CollectorRegistry

from controller.bulkhead import Bulkhead
from controller.halted.page import Halted, application
from controller.monitor.address import Address
from controller.monitor.changes import Changes
from controller.monitor.serve import serve_at
from controller.notify import Notifier

BREATH = 1.0
"""Seconds between two signs of life, at most."""


class HaltedError(Exception):
    """The table was halted, and somebody ended it; the text says why it was."""


async def stay(halted: Halted, address: Address, notifier: Notifier, pause: float | None = None) -> bool:
    """Serve the page, as soon as its address is available, until SIGTERM or SIGINT, or for `pause` seconds.
    Returns whether the pause is over."""
    loop = asyncio.get_running_loop()
    end = math.inf if pause is None else loop.time() + pause
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    serving = asyncio.create_task(
        Bulkhead(CollectorRegistry()).keep("web", lambda: _serve(halted, address)), name="web"
    )
    notifier.ready(f"Halted: {halted.cause.why}")
    while not stop.is_set() and loop.time() < end:
        if notifier.watchdog:
            notifier.feed()
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), min(_breath(notifier), end - loop.time()))
    if stop.is_set():
        notifier.stopping()
    else:
        notifier.starting_anew()
    serving.cancel()
    await asyncio.wait({serving})
    return not stop.is_set()


async def _serve(halted: Halted, address: Address) -> None:
    log = structlog.get_logger("tableside.halted")

    def report(why: str) -> None:
        if why:
            log.error("no page", why=why)
        else:
            log.info("page", address=address.url)

    await serve_at(address, application(halted), Changes(), report)


def _breath(notifier: Notifier) -> float:
    return min(BREATH, notifier.watchdog / 4 or BREATH)
