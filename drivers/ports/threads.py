"""Opens what may block, in a thread, for a caller that may give up meanwhile."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Opened = TypeVar("Opened")


async def open_in_thread(opening: Callable[[], Opened], close: Callable[[Opened], None]) -> Opened:
    """Returns what `opening` returns. It may block: on a modem line, a name server, a hub.

    If the caller is cancelled meanwhile, the thread closes what it opens.
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
    """Opens in one thread what the loop may give up; whoever comes second closes it.

    It holds what was opened until someone takes it. No future or traceback ever holds it, because some of
    it (pyusb's) is never freed once it is in a cycle of references.
    """

    def __init__(self, opening: Callable[[], Opened], close: Callable[[Opened], None]) -> None:
        self._opening, self._close = opening, close
        self._lock = threading.Lock()
        self._given_up = False
        self._opened: list[Opened] = []

    def run(self) -> None:
        """Runs in a thread."""
        opened = self._opening()
        with self._lock:
            if not self._given_up:
                self._opened.append(opened)
                return
        self._close(opened)

    def take(self) -> Opened:
        """Returns what `run` opened. Runs in the loop after `run` has ended."""
        return self._opened.pop()

    def give_up(self) -> None:
        """Runs in the loop, instead of `take`, at any time."""
        with self._lock:
            self._given_up = True
        while self._opened:
            asyncio.get_running_loop().run_in_executor(None, self._close, self._opened.pop())


def _ignore_error(opened: "asyncio.Future[Any]") -> None:
    """Nobody waits for the error any more."""
    if not opened.cancelled():
        opened.exception()
