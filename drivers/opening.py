"""Opening what may take its time, in a thread, for somebody who may give up meanwhile."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Opened = TypeVar("Opened")


async def in_thread(opening: Callable[[], Opened], close: Callable[[Opened], None]) -> Opened:
    """What `opening` gives, which may block: on a modem line, a name server, a hub.

    Cancelled meanwhile, what is still opened is closed in that thread.
    """
    attempt = _Attempt(opening, close)
    opened = asyncio.get_running_loop().run_in_executor(None, attempt.run)
    try:
        return await asyncio.shield(opened)
    except asyncio.CancelledError:
        opened.add_done_callback(_never_mind)
        attempt.give_up()
        raise


class _Attempt(Generic[Opened]):
    """Opening in one thread what may be given up in another; it is then closed by whoever comes second."""

    def __init__(self, opening: Callable[[], Opened], close: Callable[[Opened], None]) -> None:
        self._opening, self._close = opening, close
        self._lock = threading.Lock()
        self._given_up = False
        self._opened: list[Opened] = []

    def run(self) -> Opened:
        """In a thread."""
        opened = self._opening()
        with self._lock:
            self._opened.append(opened)
            given_up = self._given_up
        if given_up:
            self._close(opened)
        return opened

    def give_up(self) -> None:
        """In the loop."""
        with self._lock:
            self._given_up = True
            opened = list(self._opened)
        for late in opened:
            asyncio.get_running_loop().run_in_executor(None, self._close, late)


def _never_mind(opened: "asyncio.Future[Any]") -> None:
    """Why it could not be opened interests nobody any more."""
    if not opened.cancelled():
        opened.exception()
