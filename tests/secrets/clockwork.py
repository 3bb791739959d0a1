"""An event loop in virtual time: it advances when nothing has anything to do."""

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

LONGEST = 600.0
"""Seconds; whoever waits longer waits for something that never comes."""
Ready = list[tuple[selectors.SelectorKey, int]]


class VirtualLoop(asyncio.SelectorEventLoop):
    """Sockets are real: everything that can be read is read before time passes."""

    def __init__(self) -> None:
        super().__init__(_Hurry(self))
        self.now = 0.0
        self.set_default_executor(_AtOnce())

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self.now

    async def shutdown_default_executor(self, *_longest: float | None) -> None:
        """Nothing runs there; asyncio would ask in a thread, for which this loop does not wait."""


class _AtOnce(ThreadPoolExecutor):
    """Does the work of a thread at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done = Future[Any]()
        done.set_result(fn(*args, **kwargs))
        return done


class _Hurry(selectors.SelectSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Ready:
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "everybody waits for ever"
            self._loop.now += timeout
            assert self._loop.now < LONGEST or timeout == 0, "somebody waits for what never comes"
        return ready
