"""Devices stay connected while the table's thread waits for a disk.

The loop stands still in a commit, so that nobody sees what is not on disk yet. A second thread then serves
the links: heartbeats go out, frames are acknowledged. It runs only while the loop's thread waits, never
beside it; what devices say meanwhile is delivered when the wait is over.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol, Self

STEP = 0.1
"""Seconds between two looks, and the longest wait in which no link is served."""
LIMIT = 2.5
"""Seconds of one wait after which devices may conclude that nobody is in charge: they are safe 3 s later."""


class Linked(Protocol):
    """A device with a link; drivers.device.Device is one."""

    def poll(self) -> None:
        """Serve the link; called by another thread while the loop stands still."""

    def resume(self) -> None:
        """The loop goes on: deliver what came meanwhile."""


class Keepalive:
    """Entered around each wait for the disk. `clock` gives seconds that never jump."""

    def __init__(self, devices: Sequence[Linked], clock: Callable[[], float]) -> None:
        self._devices, self._clock = devices, clock
        self._since: float | None = None
        self.ended = clock()
        """When the last wait was over."""
        self._polled = False
        self._baton = threading.Lock()
        """Who has it may touch the links: held while they are polled, and taken to end a wait."""

    def __enter__(self) -> Self:
        self._since = self._clock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._baton:
            self._since = None
        self.ended = self._clock()
        if self._polled:
            self._polled = False
            for device in self._devices:
                device.resume()

    @property
    def waited(self) -> float:
        """Seconds since the wait began that still lasts; 0: there is none."""
        since = self._since
        return 0.0 if since is None else self._clock() - since

    def look(self) -> None:
        """Serve the links if a wait lasts."""
        with self._baton:
            if STEP <= self.waited < LIMIT:
                self._polled = True
                for device in self._devices:
                    device.poll()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """With a thread that looks."""
        stop = threading.Event()

        def watch() -> None:
            while not stop.wait(STEP):
                self.look()

        thread = threading.Thread(target=watch, name="keepalive", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
