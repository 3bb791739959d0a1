"""A client of the table socket for programs with an event loop: it stays connected to the core, again and
again, and keeps a copy of the table's view."""

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from controller.access.people import SecretKind
from controller.socket.lines import MOST_LINE
from controller.socket.params import PeerKind, Topic
from controller.socket.replica import TableReplica
from controller.socket.results import (
    Hello,
    Roster,
    SessionList,
    SessionView,
    SignedIn,
    TableHealth,
    Taken,
)
from controller.socket.wire import CallRefused, CoreAway, read_message, request_line, result_of
from controller.table.record.codec import from_json
from controller.table.record.preview import Preview

__all__ = ["CallRefused", "CoreAway", "CoreClient"]

FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0
"""Seconds between two attempts to connect. The pause doubles with each failure."""
LIMIT: Final = 30.0
"""Seconds to wait for an answer."""

Fields = Mapping[str, object]
Result = TypeVar("Result")


def _nothing(*_ignored: object) -> None:
    return None


class CoreClient:
    """Use it as an asynchronous context. It connects by itself, and connects again when the core restarts.

    `kind`: what this client is, None for what its user is. `topics`: what it subscribes to. `on_change` is
    called when `connected` or `replica` has changed; `on_push` gets the pushes of the other topics.
    """

    def __init__(
        self,
        path: Path,
        kind: PeerKind | None = None,
        topics: Sequence[Topic] = (),
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
        self.hello: Hello | None = None
        """What the core said when the client connected; None while no core answers."""
        self.replica = TableReplica()
        self.away = "not connected yet"
        """Why no core answers; empty while one does."""

    @property
    def connected(self) -> bool:
        """Whether a core answers."""
        return self.hello is not None

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
        if self.hello is None:
            raise CoreAway(self.away)
        return await self._request(method, params or {})

    async def sign_in(
        self, kind: SecretKind, name: str, secret: str, address: str, *, at_table: bool = False
    ) -> SignedIn:
        fields = {"kind": kind, "name": name, "secret": secret, "address": address, "at_table": at_table}
        return _read(SignedIn, await self.call("sign_in", fields))

    async def session(self, token: str, *, active: bool = True) -> SessionView | None:
        """None if it is over."""
        found = await self.call("session", {"token": token, "active": active})
        return None if found is None else _read(SessionView, found)

    async def sessions(self, token: str) -> SessionList:
        return _read(SessionList, await self.call("sessions", {"token": token}))

    async def sign_out(self, token: str, address: str) -> None:
        await self.call("sign_out", {"token": token, "address": address})

    async def set_secret(self, token: str, old: str, new: str, address: str) -> None:
        await self.call("set_secret", {"token": token, "old": old, "new": new, "address": address})

    async def roster(self) -> Roster:
        return _read(Roster, await self.call("roster"))

    async def forged(self, token: str | None, address: str, what: str) -> None:
        await self.call("forged", {"token": token, "address": address, "what": what})

    async def preview(self, token: str, act: Fields) -> Preview:
        return _read(Preview, await self.call("preview", {"token": token, "act": act}))

    async def act(self, token: str, act: Fields, act_id: str, confirm: Fields | None = None) -> Taken:
        """Returns when the act is on disk. After CoreAway, ask again with the same id: the table takes it
        once."""
        fields = {"token": token, "act": act, "id": act_id, "confirm": confirm}
        return _read(Taken, await self.call("act", fields))

    async def report(self, about: str, why: str = "") -> None:
        await self.call("report", {"about": about, "why": why})

    async def metrics(self) -> str:
        return str((await self.call("metrics"))["text"])

    async def health(self) -> TableHealth:
        return _read(TableHealth, await self.call("health"))

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
        fields = {"as": self._kind} if self._kind else {}
        hello = _read(Hello, await self._request("hello", fields))
        if self._topics:
            await self._request("subscribe", {"topics": list(self._topics)})
        self.hello, self.away = hello, ""
        self._ready.set()
        self._on_change()

    async def _read_lines(self, reader: asyncio.StreamReader) -> None:
        """Returns when the core ends the connection."""
        while line := await reader.readline():
            message = read_message(line)
            if "method" in message:
                self._take_push(message["method"], message.get("params", {}))
            elif (answer := self._waiting.get(message.get("id", 0))) and not answer.done():
                answer.set_result(message)
            elif message.get("id") is None:
                result_of(message)

    def _take_push(self, topic: str, params: Any) -> None:
        if topic != "view":
            self._on_push(topic, params)
        elif self.replica.apply(params):
            self._on_change()

    def _disconnected(self) -> None:
        if self._writer:
            self._writer.close()
        self._writer, self.hello, self.away = None, None, "the core has ended the connection"
        self._ready.clear()
        self.replica.reset()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(CoreAway(self.away))
        with suppress(RuntimeError):  # the loop is closing
            self._on_change()


def _read(kind: type[Result], result: Any) -> Result:
    """A result as its record. Raises CoreAway: a core of another version answers."""
    try:
        read: Result = from_json(kind, result)
    except (TypeError, KeyError, ValueError, AttributeError) as wrong:
        raise CoreAway(f"what the core answers is not a {kind.__name__}: {wrong}") from None
    return read
