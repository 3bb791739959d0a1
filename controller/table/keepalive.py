"""Devices stay connected while the table's thread waits for a disk.

The loop stands still during a commit, so that nothing is shown before it is on disk. A second thread serves
the links meanwhile: it sends heartbeats and acknowledges frames. It runs only while the loop's thread waits,
never at the same time; messages from the devices are delivered when the wait is over.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol, Self

STEP = 0.1
"""Seconds between two services of the links, and the shortest wait in which they are served."""
LIMIT = 2.5
"""Seconds of one wait after which the links are no longer served: the devices fall back to their safe state 3
s later."""

LOOK = 0.4
"""Seconds between two looks of the thread whether a wait has begun. Each wakes the processor; the devices
miss a heartbeat only after 1.5 s."""

STUCK = 2.0
"""Seconds without a finished batch after which the table counts as stuck. A wait for the disk does not
count."""


class LinkedDevice(Protocol):
    """A device with a link; drivers.devices.device.Device is one."""

    def poll(self) -> None:
        """Serve the link; another thread calls this while the loop stands still."""

    def resume(self) -> None:
        """Deliver the messages that arrived while the loop stood still."""


class Keepalive:
    """A context manager around each wait for the disk, which also knows whether the loop is alive. `clock`
    gives seconds and never jumps."""

    def __init__(self, clock: Callable[[], float], devices: Sequence[LinkedDevice] = ()) -> None:
        self._clock = clock
        self.devices = devices
        """May be set later: devices ask `alive` before all of them exist."""
        self._since: float | None = None
        self._ended = self.last_batch = clock()
        """When the last wait ended, and when the last batch was finished."""
        self._polled = False
        self._lock = threading.Lock()
        """The thread that holds the lock may use the links: it is held while they are polled, and to end a
        wait."""

    def __enter__(self) -> Self:
        self._since = self._clock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._since = None
        self._ended = self._clock()
        if self._polled:
            self._polled = False
            for device in self.devices:
                device.resume()

    def batch_done(self) -> None:
        self.last_batch = self._clock()

    def alive(self) -> bool:
        """Whether batches are being finished, or one has waited for the disk, but not for too long."""
        if waited := self.waited:
            return waited < LIMIT
        return self._clock() - max(self.last_batch, self._ended) < STUCK

    @property
    def waited(self) -> float:
        """Seconds since the current wait began; 0 if there is none."""
        since = self._since
        return 0.0 if since is None else self._clock() - since

    def serve_links(self) -> None:
        """Serve the links during a wait."""
        with self._lock:
            if STEP <= self.waited < LIMIT:
                self._polled = True
                for device in self.devices:
                    device.poll()

    @contextmanager
    def thread(self) -> Iterator[None]:
        """Runs the thread that serves the links."""
        stop = threading.Event()

        def watch() -> None:
            while not stop.wait(LOOK if self._since is None else STEP):
                self.serve_links()

        thread = threading.Thread(target=watch, name="keepalive", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
