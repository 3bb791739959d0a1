"""A simulated device on a wire in memory, in virtual time: hours of it in a moment, without a process or
port."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from drivers.sim.unit import Unit

News = TypeVar("News")
SMALLEST_STEP = 1e-6
"""Lets time go on even if a deadline is now."""


class HostEnd(Protocol[News]):
    """The other end: a pure link."""

    def feed(self, data: bytes, now: float) -> list[News]: ...

    def tick(self, now: float) -> list[News]: ...

    def take(self, now: float) -> bytes: ...

    def deadline(self, now: float) -> float:
        """When `tick` must run at the latest."""


class VirtualWire(Generic[News]):
    """Joins a host to a unit. `handle` gets what the host's link reports, with the time.

    `host` may be replaced between two runs by a new session or another controller. None: there is no host.
    """

    def __init__(
        self, unit: Unit, host: HostEnd[News] | None, handle: Callable[[News, float], None], now: float
    ) -> None:
        self.unit = unit
        self.host = host
        self.now = now
        self._handle = handle

    def run(self, seconds: float) -> None:
        """Lets time pass; everything that is due happens at its time."""
        until = self.now + seconds
        while True:
            self._exchange()
            step = max(self._deadline(), self.now + SMALLEST_STEP)
            if step > until:
                break
            self.now = step
        self.now = until
        self._exchange()

    def _exchange(self) -> None:
        while True:
            self._deliver(self.host.tick(self.now) if self.host else [])
            sent = self.host.take(self.now) if self.host else b""
            self.unit.receive(sent, self.now)
            self.unit.tick(self.now)
            came = self.unit.transmit(self.now)
            self._deliver(self.host.feed(came, self.now) if self.host else [])
            if not sent and not came:
                return

    def _deadline(self) -> float:
        host = self.host.deadline(self.now) if self.host else float("inf")
        return min(host, self.unit.deadline(self.now))

    def _deliver(self, news: list[News]) -> None:
        for each in news:
            self._handle(each, self.now)
