"""A real table, its pages on loopback, and supervisors with a browser each."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page

from controller.monitor import web
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.address import listen
from controller.monitor.server.server import serve
from controller.table.record.events import Input
from controller.table.record.notes import Note
from controller.table.view.build import build_view
from controller.telemetry.prometheus.registry import CollectorRegistry
from tests.controller.monitor.api.tables import ApiTable, Named
from tests.controller.monitor.following import follow, stand_still
from tests.fixtures.chromium import chromium
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.table_views import DEVICES
from tests.fixtures.web_server import client_of

DESK = (1280, 800)
PHONE = (390, 844)


@dataclass
class Bell:
    """An observer that notifies the pages of everything."""

    changes: ChangeNotifier

    def on_input(self, _event: Input) -> None:
        self.changes.notify()

    def on_note(self, _note: Note) -> None:
        self.changes.notify()

    def on_commit(self, _seconds: float) -> None:
        """Nothing to be seen."""

    def on_outputs(self, _seconds: float) -> None:
        """Nothing to be seen."""


@dataclass
class Floor:
    """`house` is the table, which others use over HTTP."""

    house: ApiTable
    browser: Browser
    url: str

    async def come(
        self, who: str, size: tuple[int, int] = DESK, path: str = "/supervisor", *, still: bool = False
    ) -> Page:
        """A person opens the page; returns when its panels follow. `still`: time stands still on the page."""
        width, height = size
        page = await self.browser.new_page(
            viewport={"width": width, "height": height}, extra_http_headers={"X-Name": who}
        )
        if still:
            await stand_still(page)
        await follow(page, f"{self.url}{path}")
        return page


@asynccontextmanager
async def open_floor(
    path: Path, tokens: str = "", game: str = "easy-jack", *, beat: float = 1.0, **rules: Any
) -> AsyncIterator[Floor]:
    """A table at which `tokens` were played, and a browser."""
    changes = ChangeNotifier(beat=beat)
    script = Script(game, devices={name: f"{name}-1" for name in ("shoe", "sensors", "console")}, **rules)
    with loop_table(path / "journal", script.started(), (Bell(changes),)) as at:
        for event in (*script.opening(), script.loaded(at.table.state.game.options.decks)):
            at.apply(event)
        listener = listen("127.0.0.1", 0)
        port = int(listener.getsockname()[1])
        parts = WebContext(
            lambda: build_view("Table 7", at.table.state, DEVICES[:3]),
            CollectorRegistry(),
            changes,
            None,
            at.table,
            Named(),
        )
        tasks = (
            asyncio.create_task(serve(web.build(parts), changes, listener)),
            asyncio.create_task(at.table.run()),
        )
        async with client_of(port) as client, chromium() as browser:
            house = ApiTable(at, script, client, path)
            house.play(tokens)
            try:
                yield Floor(house, browser, f"http://127.0.0.1:{port}")
            finally:
                for task in tasks:
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await task
