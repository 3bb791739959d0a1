"""Pages in a browser that follow the table: a test goes on once they have heard of it."""

from playwright.async_api import Page

from tests.waiting import PATIENCE

COUNTING = """document.addEventListener("htmx:sseOpen", ({detail}) =>
    detail.source.addEventListener("beat", () => window.beats = (window.beats || 0) + 1))"""


async def follow(page: Page, url: str) -> None:
    """Opens it; returns when all its panels have come."""
    page.set_default_timeout(PATIENCE * 1000)
    await page.add_init_script(COUNTING)
    await page.goto(url)
    await page.wait_for_function("window.beats >= 1")  # it may have come before this is asked


async def beats(page: Page, count: int) -> None:
    """The page hears so many beats more."""
    heard = await page.evaluate("window.beats || 0")
    await page.wait_for_function(f"() => window.beats >= {heard + count}")


async def stand_still(page: Page) -> None:
    """From now on time passes on the page when a test says so: `page.clock.run_for`. A machine that does
    something else for seconds makes no second tap of a first one, and no lost line."""
    await page.clock.install(time=0)
    await page.clock.pause_at(AT)


AT = 10_000_000
"""Milliseconds that no machine needs from the one to the other."""
