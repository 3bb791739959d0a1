"""A real table, its pages on loopback, and supervisors with a browser each."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page

from controller.monitor.live.changes import ChangeNotifier
from controller.table.record.views import TableView
from controller.table.view.build import build_view
from tests.controller.monitor.api.tables import ApiTable, served
from tests.controller.monitor.following import follow, stand_still
from tests.fixtures.chromium import chromium
from tests.fixtures.core_socket import Bell
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.table_views import DEVICES

DESK = (1280, 800)
PHONE = (390, 844)


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
    changes, bell = ChangeNotifier(beat=beat), Bell()
    script = Script(game, devices={name: f"{name}-1" for name in ("shoe", "sensors", "console")}, **rules)
    with loop_table(path / "journal", script.started(), (bell,)) as at:
        for event in (*script.opening(), script.loaded(at.table.state.game.options.decks)):
            at.apply(event)

        def view() -> TableView:
            return build_view("Table 7", at.table.state, DEVICES[:3])

        async with served(at, bell, changes, view) as (port, client), chromium() as browser:
            house = ApiTable(at, script, client, path)
            house.play(tokens)
            yield Floor(house, browser, f"http://127.0.0.1:{port}")
