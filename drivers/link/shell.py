"""The only place where a link meets time and a port: bytes that come are fed, bytes due are written."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from math import inf
from types import TracebackType
from typing import Generic, Protocol, TypeVar

from drivers.errors import Absent
from drivers.link.counters import Counters
from drivers.ports.transport import Transport

News = TypeVar("News")

SERVING = ("catching up", "running")
SHORTEST_WAIT = 0.001
"""A deadline in the past may not keep the loop from everybody else."""


class LinkMachine(Protocol[News]):
    """One conversation with a device as a pure machine; HostLink is one."""

    @property
    def phase(self) -> str:
        """Where it is; in SERVING the device serves."""

    @property
    def counters(self) -> Counters:
        """What it counted."""

    def feed(self, data: bytes, now: float) -> list[News]:
        """Bytes that came."""

    def tick(self, now: float) -> list[News]:
        """Lets time-outs happen."""

    def take(self, now: float) -> bytes:
        """All that is to be written now."""

    def deadline(self, now: float) -> float:
        """When tick and take must run at the latest."""

    def close(self, now: float) -> None:
        """Say goodbye; what take() still gives is to be written."""


class Shell(Generic[News]):
    """Runs one Talk on one Transport. What the link says goes to `heed`, in the loop's turn in which
    the bytes came; what heed asks of the link is written in that same turn."""

    def __init__(
        self,
        transport: Transport,
        link: LinkMachine[News],
        handle: Callable[[News], None],
        clock: Callable[[], float],
    ) -> None:
        self._transport, self._link, self._handle, self._clock = transport, link, handle, clock
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._timer: asyncio.TimerHandle | None = None
        self._due = inf
        self._busy = False
        self._delayed: list[News] = []
        """Messages from the link that arrived while the loop stood still."""

    async def run(self) -> None:
        """Until heed raises, the device is gone (Absent) or the task is cancelled; then says goodbye."""
        try:
            with self:
                self._transport.watch(self._readable)
                self._write(self._clock())
            await self._ended
        finally:
            self._say_goodbye()

    def pump(self) -> None:
        """The link was asked for something: write what is due now, not at the next turn of the loop."""
        if self._busy:
            return  # the turn in progress ends with it
        with self:
            self._write(self._clock())

    def poll(self) -> None:
        """Read, listen and write while the loop stands still: another thread calls this, and never while the
        loop runs. Messages from the link wait for `resume`."""
        if self._busy or self._ended.done():
            return
        with self:
            now = self._clock()
            self._delayed += self._link.feed(self._transport.read(), now)
            self._delayed += self._link.tick(now)
            if data := self._link.take(now):
                self._transport.write(data)

    def resume(self) -> None:
        """The loop runs again: handle the messages that `poll` received."""
        if self._busy:
            return
        events, self._delayed = self._delayed, []
        with self:
            self._handle_all(events, self._clock())

    def __enter__(self) -> None:
        self._busy = True

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        """What goes wrong in a callback of the loop is the task's to know."""
        self._busy = False
        if error is None:
            return False
        if not self._ended.done():
            self._ended.set_exception(error)
        return True

    def _readable(self) -> None:
        with self:
            data = self._transport.read()
            now = self._clock()
            self._handle_all(self._link.feed(data, now), now)

    def _timeout(self) -> None:
        self._timer, self._due = None, inf
        with self:
            now = self._clock()
            self._handle_all(self._link.tick(now), now)

    def _handle_all(self, events: list[News], now: float) -> None:
        try:
            for event in events:
                self._handle(event)
        finally:
            self._write(now)  # a last word, too

    def _write(self, now: float) -> None:
        if data := self._link.take(now):
            self._transport.write(data)
        self._set_timer(self._link.deadline(now), now)

    def _set_timer(self, due: float, now: float) -> None:
        if due >= self._due:
            return  # the earlier call finds nothing to do and sets the next one
        if self._timer:
            self._timer.cancel()
        self._due = due
        self._timer = self._loop.call_later(max(due - now, SHORTEST_WAIT), self._timeout)

    def _say_goodbye(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._busy = True  # from here on nothing is pumped
        if self._unplugged():
            self._link.counters.count_session_end("unplugged")
            return
        self._ended.cancel()
        now = self._clock()
        self._link.close(now)
        if data := self._link.take(now):
            with suppress(Absent):
                self._transport.write(data)

    def _unplugged(self) -> bool:
        """The port went under a session; nobody is there to say goodbye to."""
        error = self._ended.exception() if self._ended.done() and not self._ended.cancelled() else None
        return isinstance(error, Absent) and self._link.phase in SERVING
