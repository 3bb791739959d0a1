"""A real table behind a real web server on loopback, and people who use it."""

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from fastapi import Request

from controller.access.desk import AccessDesk
from controller.access.people import Person, Role
from controller.monitor import web
from controller.monitor.authorization import WebSession
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.address import listen
from controller.monitor.server.server import serve
from controller.table.record.views import TableView
from controller.table.view.build import build_view
from tests.fixtures.access_desk import FROM, SECRETS, add_with_secret
from tests.fixtures.core_socket import Bell, core_of, linked
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import LoopTable, loop_table
from tests.fixtures.state_table import StateTable
from tests.fixtures.waiting import come_true
from tests.fixtures.web_server import client_of

ROLES: dict[str, Role] = {
    "Dee": "dealer",
    "Don": "dealer",
    "Ann": "supervisor",
    "Bob": "supervisor",
    "ANN": "supervisor",
    "Ted": "technician",
    "Aud": "auditor",
}


SPELLINGS = {"ANN": "Ann"}
"""Names that people type in another way."""


class Named:
    """Believes the name in the request; everybody has a session at the core."""

    def __init__(self, desk: AccessDesk) -> None:
        self._tokens: dict[str, str] = {}
        for name, role in ROLES.items():
            if name in SPELLINGS:
                self._tokens[name] = self._tokens[SPELLINGS[name]]
                continue
            account = add_with_secret(desk, name, role)
            self._tokens[name] = desk.sessions.begin(account, FROM)[0]

    async def session(self, request: Request, /) -> WebSession | None:
        name = request.headers.get("X-Name", "")
        return WebSession(Person(name, ROLES[name]), self._tokens[name]) if name else None

    async def is_still_signed_in(self, _request: Request, /) -> bool:
        return True


@dataclass
class ApiTable:
    """`at` is the table with its journal, in the folder `path`; `script` makes the reports of its devices."""

    at: LoopTable
    script: Script
    client: httpx.AsyncClient
    path: Path

    def view(self) -> TableView:
        return build_view("T", self.at.table.state, ())

    def play(self, tokens: str) -> None:
        """The notation of `StateTable.play`."""
        state_table = StateTable.of(self.at.table.state, self.script)
        for token in tokens.split():
            self.at.apply(state_table.event(token))

    async def post_previewed(self, who: str, path: str, /, **body: Any) -> httpx.Response:
        """Posts this with the token of its preview."""
        seen = await self.preview(who, path, **body)
        if seen is not None and seen.status_code == 200:
            body["token"] = seen.json()["token"]
        return await self.post(who, path, **body)

    async def preview(self, who: str, path: str, /, **body: Any) -> httpx.Response | None:
        """The preview of a post; None where there is none, or where the body has a token."""
        kind, *rest = path.split("/")
        if kind in {"decisions", "requests", "meters"} and rest[1:] != ["answer"]:
            free = "token" in body or "entry" in body.values() or "help" in body.values()
            return None if free or "preview" in rest else await self.post(who, f"{path}/preview", **body)
        if "token" in body or kind not in {"requests", "claims"}:
            return None
        if kind == "claims":
            return await self.ask(who, f"{path}/{body['step']}/preview")
        return await self.ask(who, f"requests/{rest[0]}/preview?grant={str(body['grant']).lower()}")

    async def post(self, who: str, path: str, /, **body: Any) -> httpx.Response:
        """Posts this without a preview; the person types their secret again if they are asked to."""
        answer = await self.post_once(who, path, **body)
        if answer.status_code == 403 and (kind := answer.json().get("confirm")):
            return await self.post_once(who, path, **body, confirm={"kind": kind, "secret": SECRETS[kind]})
        return answer

    async def post_once(self, who: str, path: str, /, **body: Any) -> httpx.Response:
        """Posts this, and nothing else."""
        return await self.client.post(f"/api/v1/{path}", json=body, headers={"X-Name": who})

    async def ask(self, who: str, path: str) -> httpx.Response:
        """Gets this path."""
        return await self.client.get(f"/api/v1/{path}", headers={"X-Name": who})

    def rows_of(self, kind: str) -> list[str]:
        """The bodies of all rows of a kind."""
        return [each.content.body for each in self.at.journal.since(0) if each.content.kind == kind]


@asynccontextmanager
async def open_table(path: Path, tokens: str = "", game: str = "easy-jack") -> AsyncIterator[ApiTable]:
    """A table at which `tokens` were played."""
    script, bell = Script(game, devices={name: f"{name}-1" for name in DEVICES}), Bell()
    with loop_table(path / "journal", script.started(), (bell,)) as at:
        for event in (*script.opening(), script.loaded(at.table.state.game.options.decks)):
            at.apply(event)
        changes = ChangeNotifier(beat=1.0)
        async with served(at, bell, changes, lambda: build_view("T", at.table.state, ())) as (_, client):
            house = ApiTable(at, script, client, path)
            house.play(tokens)
            yield house


@asynccontextmanager
async def served(
    at: LoopTable, bell: Bell, changes: ChangeNotifier, view: Callable[[], TableView]
) -> AsyncIterator[tuple[int, httpx.AsyncClient]]:
    """The table's socket, and its pages on loopback: the port, and a client whose requests see the table as
    it is. Its loop runs."""
    with (
        tempfile.TemporaryDirectory() as folder,
        AccessDesk(Path(folder, "a.db"), time.time, time.monotonic) as access,
    ):
        async with linked(core_of(view, at.table, access), changes) as (server, link):
            bell.server = server

            async def until_shown(_request: object) -> None:
                server.notify()
                await come_true(lambda: link.client.replica.view() == view())

            context = WebContext(
                link.client, link.view, changes, authentication=Named(access), outage=link.outage
            )
            listener = listen("127.0.0.1", 0)
            port = int(listener.getsockname()[1])
            tasks = (
                asyncio.create_task(serve(web.build(context), changes, listener)),
                asyncio.create_task(at.table.run()),
            )
            async with client_of(port) as client:
                client.event_hooks = {"request": [until_shown]}
                try:
                    yield port, client
                finally:
                    for task in tasks:
                        task.cancel()
                        with contextlib.suppress(asyncio.CancelledError):
                            await task


DEVICES = ("shoe", "sensors", "console")
