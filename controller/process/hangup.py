"""SIGHUP. systemd sends it to a service that is to read its configuration again. A terminal sends it to what
runs in it when somebody closes it, and then it means the end."""

import asyncio
import signal
import sys
from collections.abc import Callable


def on_hangup(reload: Callable[[], None], stop: Callable[[], None]) -> None:
    """Call `reload` when a service gets SIGHUP, `stop` when the terminal of a program goes. Needs a running
    loop."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, stop if _has_terminal() else reload)


def ignore_hangup() -> None:
    """While a service does not listen, SIGHUP must not end it. A loop that ends undoes this."""
    if not _has_terminal():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)


def _has_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
