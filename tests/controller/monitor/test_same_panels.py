"""A panel that a page shows already is not drawn again: a touch of a key in it would be lost."""

from dataclasses import replace

import pytest
from playwright.async_api import Page, expect

from tests.controller.monitor.following import follow
from tests.fixtures.chromium import SHARED, chromium
from tests.fixtures.table_views import BETTING
from tests.fixtures.web_server import Staff, web_server

pytestmark = SHARED

MARK = """document.addEventListener("DOMContentLoaded", () => {
    for (const one of document.querySelectorAll("[sse-swap] > *")) one.loaded = true;
})"""
"""Marks what the page itself brings, before the stream brings all panels once more."""
DRAWN = """() => [...document.querySelectorAll("[sse-swap]")]
    .filter((panel) => [...panel.children].some((one) => !one.loaded))
    .map((panel) => panel.getAttribute("sse-swap"))"""


async def drawn_again(page: Page) -> list[str]:
    """The panels that the stream has drawn, but for the computer, whose figures change all the time."""
    found: list[str] = await page.evaluate(DRAWN)
    return [name for name in found if name != "computer"]


@pytest.mark.parametrize("path", ["/", "/console", "/technician", "/supervisor"])
async def test_what_a_page_shows_already_is_not_drawn_again(path: str) -> None:
    async with web_server(door=Staff()) as house, chromium() as browser:
        page = await browser.new_page()
        await page.add_init_script(MARK)
        await follow(page, f"http://127.0.0.1:{house.port}{path}")
        assert await drawn_again(page) == []


async def test_what_has_changed_is_drawn() -> None:
    async with web_server() as house, chromium() as browser:
        page = await browser.new_page()
        await page.add_init_script(MARK)
        await follow(page, f"http://127.0.0.1:{house.port}/")
        house.show(replace(BETTING, prompt="Take a break"))
        await expect(page.get_by_text("Take a break")).to_be_visible()
        assert len(await drawn_again(page)) == 1
