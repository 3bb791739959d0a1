"""A search through many rows shows what it has found so far, and goes on by itself."""

from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import expect

from controller.monitor.past import answers
from controller.past.recall import search
from controller.past.recall.search import SearchMemory
from tests.controller.monitor.recall.pages import ask_here
from tests.fixtures.chromium import SHARED, chromium
from tests.fixtures.random_nights import kept
from tests.fixtures.web_server import web_server

pytestmark = SHARED


async def test_older_rounds_come_onto_the_page_without_a_touch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(tmp_path / "t.db", files=(6, 5, 4))
    monkeypatch.setattr(answers, "MEMORY", SearchMemory())
    monkeypatch.setattr(search, "search", partial(search.search, furthest=1))
    async with web_server(journal=tmp_path / "t.db", ask=ask_here) as house, chromium() as browser:
        page = await browser.new_page()
        await page.goto(f"http://127.0.0.1:{house.port}/rounds")
        await expect(page.locator(".rounds tr:not(.day) th.which")).to_have_count(15)
        await expect(page.locator(".goes-on")).to_have_count(0)
        await expect(page.get_by_text("Nothing older is kept.")).to_be_visible()
