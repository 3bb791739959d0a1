"""People at a watched table, who have signed in and act over its table socket."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

from controller.access.desk import AccessDesk
from controller.access.people import Person, SecretKind
from controller.access.sessions import LIMITS, Session
from controller.socket.core import Core
from controller.socket.listening import SocketPlace, table_socket
from controller.socket.peers import PeerUsers
from controller.socket.results import Head
from controller.socket.server import SocketServer
from controller.table.loop import Table
from controller.table.record.views import TableView
from controller.telemetry.host import HostStatus

LONGEST_ANSWER = 5.0
SECRET = {"kind": "password", "secret": "is always right here"}
ROLES = {"Dee": "dealer"}
"""Everybody else is a supervisor."""


class Everybody:
    """Stands in for accounts and sessions: everybody is signed in, and their name is their token."""

    def find(self, token: str, *, active: bool = True) -> Session:  # noqa: ARG002 - as of Sessions
        role = ROLES.get(token, "supervisor")
        return Session(Person(token, cast("Any", role)), "", 0.0, "", LIMITS["supervisor"])

    @property
    def sessions(self) -> "Everybody":
        return self

    async def confirm(self, person: Person, kind: SecretKind, secret: str, address: str) -> None:
        """Every secret is right."""


@asynccontextmanager
async def acting_socket(
    path: Path, table: Table, view: Callable[[], TableView], head: Callable[[], Head]
) -> AsyncIterator[SocketServer]:
    """The table socket of this table."""
    core = Core(
        "1",
        "Table 7",
        "a game",
        table,
        cast("AccessDesk", Everybody()),
        str,
        view,
        HostStatus,
        head,
        str,
        lambda _about, _why: None,
    )
    users, virtual = PeerUsers(), asyncio.get_running_loop().time
    server = SocketServer(core, users, virtual)
    async with table_socket(SocketPlace(path, "", users), server):
        yield server


class People:
    """`path` is the socket's. `head` gives a number that is another one after each decision."""

    def __init__(self, path: Path, head: Callable[[], int]) -> None:
        self._path, self._head, self._number = path, head, 0
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def say(self, words: Mapping[str, Any]) -> str:
        """The answer to a decision, or to a preview of it. A request that takes another person is granted by
        `second`."""
        fields = dict(words)
        who, second, preview = (fields.pop(name, None) for name in ("who", "second", "preview"))
        given = {name: value for name, value in fields.items() if value is not None}
        answer = await self._send(str(who), _act(given), preview=bool(preview))
        request = (json.loads(answer).get("result") or {}).get("request")
        if preview or not request or not second:
            return answer
        return answer + await self._granted(str(second), request)

    async def hang_up(self) -> None:
        """Closes the connection."""
        if self._line:
            self._line[1].close()
            with suppress(ConnectionError):
                await self._line[1].wait_closed()

    async def _granted(self, who: str, request: int) -> str:
        answer = {"request": request, "grant": True}
        seen = await self._send(who, {"answer": answer}, preview=True)
        token = (json.loads(seen).get("result") or {}).get("token", "")
        return seen + await self._send(who, {"answer": {**answer, "token": token}}, preview=False)

    async def _send(self, who: str, act: dict[str, Any], *, preview: bool) -> str:
        params: dict[str, Any] = {"token": who, "act": act}
        if not preview:
            params |= {"id": f"act-{self._head()}", "confirm": SECRET}
        reader, writer = self._line = self._line or await asyncio.open_unix_connection(str(self._path))
        self._number += 1
        request = {
            "jsonrpc": "2.0",
            "id": self._number,
            "method": "preview" if preview else "act",
            "params": params,
        }
        writer.write(json.dumps(request).encode() + b"\n")
        async with asyncio.timeout(LONGEST_ANSWER):
            return (await reader.readline()).decode()


def _act(words: dict[str, Any]) -> dict[str, Any]:
    """What these words are on the table socket; words of another kind stay as they are, and are refused."""
    if "choice" in words:
        return {"decision": words}
    if "step" in words:
        return {"step": words}
    if "meter" in words:
        return {"meter": {"spot": words.pop("meter"), **words}}
    return words
