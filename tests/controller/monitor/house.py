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
from controller.monitor.changes import Changes
from controller.monitor.gate import Door
from controller.monitor.parts import Desk, Parts
from controller.monitor.serve import listen, serve
from controller.monitor.stream import BEAT
from controller.table.view import TableView
from tests.controller.monitor.doors import Everybody
from tests.controller.monitor.samples import BETTING
from tests.waiting import come_true


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
) -> AsyncIterator[House]:
    shown, changes, registry = Shown(view), Changes(beat=beat), CollectorRegistry()
    parts = Parts(shown, registry, changes, journal, desk, door or Everybody())
    listener = listen("127.0.0.1", 0)
    port = int(listener.getsockname()[1])
    serving = asyncio.create_task(serve(web.build(parts), changes, listener))
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=30) as client:
        house = House(shown, changes, registry, client, serving, port)
        try:
            yield house
        finally:
            await house.stop()


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
