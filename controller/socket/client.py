"""A client of the table socket for programs with an event loop: it stays connected to the core, again and
again, and keeps a copy of the table's view."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from controller.access.people import SecretKind
from controller.socket.core_line import LIMIT, CoreLine, Fields
from controller.socket.params import PeerKind, Topic
from controller.socket.replica import TableReplica
from controller.socket.results import (
    Hello,
    ReadTokenView,
    Roster,
    SessionList,
    SessionView,
    SignedIn,
    TableHealth,
    Taken,
)
from controller.socket.wire import CallRefused, CoreAway
from controller.table.record.codec import from_json
from controller.table.record.preview import Preview

__all__ = ["CallRefused", "CoreAway", "CoreClient"]

Result = TypeVar("Result")


def _nothing(*_ignored: object) -> None:
    return None


class CoreClient(CoreLine):
    """A CoreLine that knows the table: `on_change` is called when `connected` or `replica` has changed;
    `on_push` gets the pushes of other topics than the view."""

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
        super().__init__(path, kind, topics, on_change=on_change, on_push=on_push, limit=limit)
        self._hello: Hello | None = None
        self.replica = TableReplica()

    @property
    def hello(self) -> Hello | None:
        """What the core said when the client connected; None while no core answers."""
        return self._hello if self.connected else None

    def check_greeting(self, greeting: Any) -> None:
        self._hello = _read(Hello, greeting)

    def take_push(self, topic: str, params: Any) -> None:
        if topic != "view":
            self._on_push(topic, params)
        elif self.replica.apply(params):
            self._on_change()

    def reset(self) -> None:
        self.replica.reset()

    async def sign_in(
        self, kind: SecretKind, name: str, secret: str, address: str, *, at_table: bool = False
    ) -> SignedIn:
        fields = {"kind": kind, "name": name, "secret": secret, "address": address, "at_table": at_table}
        return _read(SignedIn, await self.call("sign_in", fields))

    async def session(self, token: str, *, active: bool = True) -> SessionView | None:
        """None if it is over."""
        found = await self.call("session", {"token": token, "active": active})
        return None if found is None else _read(SessionView, found)

    async def read_token(self, token: str, address: str) -> ReadTokenView:
        fields = {"token": token, "address": address}
        return _read(ReadTokenView, await self.call("read_token", fields))

    async def sessions(self, token: str) -> SessionList:
        return _read(SessionList, await self.call("sessions", {"token": token}))

    async def sign_out(self, token: str, address: str) -> None:
        await self.call("sign_out", {"token": token, "address": address})

    async def set_secret(self, token: str, old: str, new: str, address: str) -> None:
        await self.call("set_secret", {"token": token, "old": old, "new": new, "address": address})

    async def set_language(self, token: str, language: str) -> None:
        await self.call("set_language", {"token": token, "language": language})

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

    async def metrics(self) -> str:
        return str((await self.call("metrics"))["text"])

    async def health(self) -> TableHealth:
        return _read(TableHealth, await self.call("health"))


def _read(kind: type[Result], result: Any) -> Result:
    """A result as its record. Raises CoreAway: a core of another version answers."""
    try:
        read: Result = from_json(kind, result)
    except (TypeError, KeyError, ValueError, AttributeError) as wrong:
        raise CoreAway(f"what the core answers is not a {kind.__name__}: {wrong}") from None
    return read
