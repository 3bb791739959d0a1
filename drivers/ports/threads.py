"""Opening what may take its time, in a thread, for somebody who may give up meanwhile."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Opened = TypeVar("Opened")


async def open_in_thread(opening: Callable[[], Opened], close: Callable[[Opened], None]) -> Opened:
    """What `opening` gives, which may block: on a modem line, a name server, a hub.

    Cancelled meanwhile, what is still opened is closed in that thread.
    """
    attempt = _Attempt(opening, close)
    opened = asyncio.get_running_loop().run_in_executor(None, attempt.run)
    try:
        await asyncio.shield(opened)
    except asyncio.CancelledError:
        opened.add_done_callback(_ignore_error)
        attempt.give_up()
        raise
    return attempt.take()


class _Attempt(Generic[Opened]):
    """Opening in one thread what may be given up in another; it is then closed by whoever comes second.

    It has what was opened for as long as nobody took it, and no future or traceback ever has it: some of what
    is opened (pyusb's) is never freed once it is in a cycle of references.
    """

    def __init__(self, opening: Callable[[], Opened], close: Callable[[Opened], None]) -> None:
        self._opening, self._close = opening, close
        self._lock = threading.Lock()
        self._given_up = False
        self._opened: list[Opened] = []

    def run(self) -> None:
        """In a thread."""
        opened = self._opening()
        with self._lock:
            if not self._given_up:
                self._opened.append(opened)
                return
        self._close(opened)

    def take(self) -> Opened:
        """In the loop, when run() has ended: what it opened."""
        return self._opened.pop()

    def give_up(self) -> None:
        """In the loop, at any time instead of that."""
        with self._lock:
            self._given_up = True
        while self._opened:
            asyncio.get_running_loop().run_in_executor(None, self._close, self._opened.pop())


def _ignore_error(opened: "asyncio.Future[Any]") -> None:
    """Why it could not be opened interests nobody any more."""
    if not opened.cancelled():
        opened.exception()
