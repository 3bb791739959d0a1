"""Pages in a browser that follow the table: a test waits until they have received a change."""

import asyncio
import time

from playwright.async_api import Page

from tests.fixtures.waiting import PATIENCE, PAUSE

COUNTING = """
const hear = ({dataset} = document.documentElement) => dataset.beats = Number(dataset.beats || 0) + 1;
document.addEventListener("htmx:sseOpen", ({detail}) => detail.source.addEventListener("beat", () => hear()));
"""


async def follow(page: Page, url: str) -> None:
    """Opens the page; returns when all its panels have come."""
    page.set_default_timeout(PATIENCE * 1000)
    await page.add_init_script(COUNTING)
    await page.goto(url)
    await _heard(page, 1)  # it may already have come


async def beats(page: Page, count: int) -> None:
    """Waits until the page has received this many more beats."""
    await _heard(page, await _so_far(page) + count)


async def _heard(page: Page, count: int) -> None:
    """Polls from outside: nothing can wait inside a page whose policy forbids eval."""
    end = time.monotonic() + PATIENCE
    while await _so_far(page) < count:
        assert time.monotonic() < end, f"not {count} beats after {PATIENCE:g} s"
        await asyncio.sleep(PAUSE)


async def _so_far(page: Page) -> int:
    return int(await page.locator("html").get_attribute("data-beats") or 0)


async def stand_still(page: Page) -> None:
    """From now on time passes on the page only when a test says so: `page.clock.run_for`. So a machine that
    pauses for seconds neither makes a second tap of a first one nor loses the connection."""
    await page.clock.install(time=0)
    await page.clock.pause_at(AT)


AT = 10_000_000
"""Milliseconds that no machine needs between the two."""
