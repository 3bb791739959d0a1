"""A connection to the core that is made again and again: requests and their answers, and pushes.

It knows nothing of the table, so a program that only passes messages on stays small.
"""

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from controller.socket.lines import MOST_LINE
from controller.socket.wire import CallRefused, CoreAway, read_message, request_line, result_of

FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0
"""Seconds between two attempts to connect. The pause doubles with each failure."""
LIMIT: Final = 30.0
"""Seconds to wait for an answer."""

Fields = Mapping[str, object]


def _nothing(*_ignored: object) -> None:
    return None


class CoreLine:
    """Use it as an asynchronous context. It connects by itself, and connects again when the core restarts.

    `kind`: what this client is, None for what its user is. `topics`: what it subscribes to. `on_change` is
    called when `connected` has changed; `on_push` gets the pushes.
    """

    def __init__(
        self,
        path: Path,
        kind: str | None = None,
        topics: Sequence[str] = (),
        *,
        on_change: Callable[[], None] = _nothing,
        on_push: Callable[[str, Any], None] = _nothing,
        limit: float = LIMIT,
    ) -> None:
        self._path, self._kind, self._topics = path, kind, topics
        self._on_change, self._on_push, self._limit = on_change, on_push, limit
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.greeting: Mapping[str, Any] | None = None
        """What the core said when the client connected, as `hello` answers; None while no core answers."""
        self.connections = 0
        """How often a core has answered."""
        self.away = "not connected yet"
        """Why no core answers; empty while one does."""

    @property
    def connected(self) -> bool:
        """Whether a core answers."""
        return self.greeting is not None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._stay_connected(), name="core client")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def wait_connected(self, seconds: float) -> None:
        """Returns when a core answers. Raises CoreAway after this time."""
        try:
            async with asyncio.timeout(seconds):
                await self._ready.wait()
        except TimeoutError:
            raise CoreAway(self.away) from None

    async def call(self, method: str, params: Fields | None = None) -> Any:
        """The result of one request. Raises CallRefused, CoreAway."""
        if self.greeting is None:
            raise CoreAway(self.away)
        return await self._request(method, params or {})

    async def report(self, about: str, why: str = "") -> None:
        """How this satellite is; `why` is empty if all is well."""
        await self.call("report", {"about": about, "why": why})

    def check_greeting(self, greeting: Any) -> None:
        """Raises CoreAway for what is not the answer of a core of this version."""
        if not isinstance(greeting, dict):
            raise CoreAway("what the core answers is not an object")

    def take_push(self, topic: str, params: Any) -> None:
        """A push has arrived."""
        self._on_push(topic, params)

    def reset(self) -> None:
        """The connection has ended: what was pushed is old."""

    async def _request(self, method: str, params: Fields) -> Any:
        writer = self._writer
        if writer is None:
            raise CoreAway(self.away)
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            writer.write(request_line(number, method, params))
            async with asyncio.timeout(self._limit):
                await writer.drain()
                return result_of(await answer)
        except TimeoutError:
            raise CoreAway(f"the core has not answered {method} within {self._limit:g} s") from None
        except OSError as lost:
            raise CoreAway(f"the core is gone: {lost}") from None
        finally:
            del self._waiting[number]

    async def _stay_connected(self) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                await self._connect()
                pause = FIRST_PAUSE
            except (OSError, CoreAway, CallRefused) as error:
                self.away = f"no core answers at {self._path}: {error}"
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _connect(self) -> None:
        """One connection, until it ends. Raises OSError if there is none, CallRefused and CoreAway if the
        other end does not greet."""
        reader, self._writer = await asyncio.open_unix_connection(str(self._path), limit=MOST_LINE)
        reading = asyncio.create_task(self._read_lines(reader), name="core reader")
        try:
            greeting = asyncio.create_task(self._greet(), name="core greeting")
            await asyncio.wait({reading, greeting}, return_when=asyncio.FIRST_COMPLETED)
            if not greeting.done():
                greeting.cancel()
                await asyncio.wait({greeting})
            elif not greeting.cancelled():
                greeting.result()
            await reading
        finally:
            reading.cancel()
            self._disconnected()

    async def _greet(self) -> None:
        greeting = await self._request("hello", {"as": self._kind} if self._kind else {})
        self.check_greeting(greeting)
        if self._topics:
            await self._request("subscribe", {"topics": list(self._topics)})
        self.greeting, self.away = greeting, ""
        self.connections += 1
        self._ready.set()
        self._on_change()

    async def _read_lines(self, reader: asyncio.StreamReader) -> None:
        """Returns when the core ends the connection."""
        while line := await reader.readline():
            message = read_message(line)
            if "method" in message:
                self.take_push(message["method"], message.get("params", {}))
            elif (answer := self._waiting.get(message.get("id", 0))) and not answer.done():
                answer.set_result(message)
            elif message.get("id") is None:
                result_of(message)

    def _disconnected(self) -> None:
        if self._writer:
            self._writer.close()
        self._writer, self.greeting, self.away = None, None, "the core has ended the connection"
        self._ready.clear()
        self.reset()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(CoreAway(self.away))
        with suppress(RuntimeError):  # the loop is closing
            self._on_change()
