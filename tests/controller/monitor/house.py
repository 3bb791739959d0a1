"""A real web server on loopback for the tests, and a reader of its server-sent events."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from prometheus_client import CollectorRegistry

from controller.monitor import web
from controller.monitor.address import listen
from controller.monitor.changes import Changes
from controller.monitor.gate import Door
from controller.monitor.parts import Desk, Parts
from controller.monitor.recall.aside import Aside, Ask
from controller.monitor.serve import serve
from controller.monitor.stream import BEAT
from controller.table.view import TableView
from tests.controller.monitor.doors import Everybody
from tests.controller.monitor.samples import BETTING
from tests.waiting import PATIENCE, come_true

KEPT = httpx.Limits(keepalive_expiry=1.0)
"""A client gives an idle connection up well before the server does: both at once, and a request is lost."""


class Shown:
    """The seam that the table has towards its pages; counts how often somebody looks."""

    def __init__(self, view: TableView = BETTING) -> None:
        self.view = view
        self.looks = 0

    def __call__(self) -> TableView:
        self.looks += 1
        return self.view


@dataclass
class House:
    shown: Shown
    changes: Changes
    registry: CollectorRegistry
    client: httpx.AsyncClient
    serving: asyncio.Task[None]
    port: int

    async def stop(self) -> None:
        self.serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.serving

    def show(self, view: TableView) -> None:
        self.shown.view = view
        self.changes.changed()

    async def deserted(self) -> None:
        """Returns when nobody follows any more."""
        await come_true(lambda: not self.changes.followers)


@asynccontextmanager
async def open_house(
    view: TableView = BETTING,
    *,
    beat: float = 1.0,
    journal: Path | None = None,
    desk: Desk | None = None,
    door: Door | None = None,
    ask: Ask | None = None,
) -> AsyncIterator[House]:
    shown, changes, registry = Shown(view), Changes(beat=beat), CollectorRegistry()
    parts = Parts(shown, registry, changes, journal, desk, door or Everybody(), ask=ask or Aside())
    listener = listen("127.0.0.1", 0)
    port = int(listener.getsockname()[1])
    serving = asyncio.create_task(serve(web.build(parts), changes, listener))
    async with client_of(port) as client:
        house = House(shown, changes, registry, client, serving, port)
        try:
            yield house
        finally:
            await house.stop()


def client_of(port: int) -> httpx.AsyncClient:
    """Who speaks to a server here, and waits for it."""
    url = f"http://127.0.0.1:{port}"
    return httpx.AsyncClient(base_url=url, trust_env=False, timeout=PATIENCE, limits=KEPT)


async def messages(response: httpx.Response) -> AsyncIterator[dict[str, str]]:
    """Each message of the stream: panels by name, without the beat that ends it."""
    panels: dict[str, str] = {}
    lines: list[str] = []
    name = ""
    async for line in response.aiter_lines():
        field, _, value = line.partition(": ")
        if field == "event":
            name, lines = value, []
        elif field == "data":
            lines.append(value)
        elif not line and name == BEAT:
            yield panels
            name, panels = "", {}
        elif not line and name:
            panels[name] = "\n".join(lines)


async def news(stream: AsyncIterator[dict[str, str]]) -> dict[str, str]:
    """The next message that is more than a beat: those come when they are due."""
    while not (panels := await anext(stream)):
        continue
    return panels
