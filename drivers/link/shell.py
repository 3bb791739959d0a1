"""Runs a link on a port. This is the only place where a link meets the clock, the event loop and real bytes.

A `Shell` drives one `LinkMachine` on one Transport from callbacks of the event loop:

    bytes arrive               feed, handle each event, write
    the deadline is reached    tick, handle each event, write
    the owner asks something   write (`pump`)

Invariants:

- What the machine has to say is written in the callback that caused it, never in a later one. The time from
  a card to its lamps depends on this.
- The machine is never entered twice. `handle` may ask something of the link while the shell still handles
  events; `pump` then does nothing, because the running callback writes at its end.
- One timer is set, at the machine's deadline or earlier. A timer that is early finds nothing to do and sets
  the next one. A timer that is late would miss a deadline.
- An exception in a callback ends `run` with that exception.

What breaks without each rule:

- `_handle_all` writes even if `handle` raises. Otherwise a last Refuse or Bye would never leave.
- SHORTEST_WAIT: a deadline in the past would call the shell again and again and starve everything else on
  the loop.
- `poll` and `resume`: while the loop is blocked, for example by a slow disk, another thread keeps the
  session alive. It only collects events. They are handled when the loop runs again, so they take effect in
  the same order and by the same thread as ever, and nothing is shown before it is on disk.
- `_say_goodbye` sends Bye, so that the device reaches its safe state at once and not after 3 s. It sends
  nothing to a device that is unplugged.

`run` ends by an exception only: from `handle`, Absent from the port, or the cancellation of its task.
"""

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
"""The shortest time, in seconds, that a timer waits."""


class LinkMachine(Protocol[News]):
    """A conversation with a device as a pure state machine. HostLink is one, and so are the lines of
    commercial shoes."""

    @property
    def phase(self) -> str:
        """The phase of the conversation. In those of SERVING the device serves the table."""

    @property
    def counters(self) -> Counters:
        """What the link counted."""

    def feed(self, data: bytes, now: float) -> list[News]:
        """Takes bytes that arrived."""

    def tick(self, now: float) -> list[News]:
        """Lets time-outs happen."""

    def take(self, now: float) -> bytes:
        """All that is to be written now."""

    def deadline(self, now: float) -> float:
        """When tick and take must run at the latest."""

    def close(self, now: float) -> None:
        """Says goodbye. Write what `take` still returns."""


class Shell(Generic[News]):
    """Runs one machine on one Transport and passes its events to `handle`."""

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
        """Events that `poll` collected while the loop was blocked."""

    async def run(self) -> None:
        """Runs until `handle` raises, the device is gone (Absent) or the task is cancelled. Then says
        goodbye."""
        try:
            with self:
                self._transport.watch(self._readable)
                self._write(self._clock())
            await self._ended
        finally:
            self._say_goodbye()

    def pump(self) -> None:
        """Writes what is due after the owner asked something of the link."""
        if self._busy:
            return  # the turn in progress ends with it
        with self:
            self._write(self._clock())

    def poll(self) -> None:
        """Serves the link while the loop is blocked. Another thread calls this, never while the loop runs.
        Events wait for `resume`."""
        if self._busy or self._ended.done():
            return
        with self:
            now = self._clock()
            self._delayed += self._link.feed(self._transport.read(), now)
            self._delayed += self._link.tick(now)
            if data := self._link.take(now):
                self._transport.write(data)

    def resume(self) -> None:
        """Handles the events that `poll` collected, once the loop runs again."""
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
        """Hands an exception of a callback to the task that runs the shell."""
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
        """Whether the port disappeared during a session, so that nobody is left to say goodbye to."""
        error = self._ended.exception() if self._ended.done() and not self._ended.cancelled() else None
        return isinstance(error, Absent) and self._link.phase in SERVING
