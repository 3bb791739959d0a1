"""The page of an outage in a browser: all of it on the table's own screen, and nothing wider than a phone."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.async_api import Route, expect

from controller.monitor.outage.outage import ABSENT, Cause, Outage
from controller.monitor.outage.page import application
from controller.past.last_meters import LastMeter
from tests.fixtures.chromium import SHARED, chromium

pytestmark = SHARED

EVERY = 5100
"""Milliseconds after which the page has looked again."""
KIOSK = (1024, 600)
PHONE = (390, 844)
PARTS = {"locked": 200_000, "reserve": 4321, "overflow": 0, "paid": 0}
METERS = (LastMeter("blazing-7s", 1_234_567, PARTS, 81_234, 1795190000.5, "/var/lib/table.db", sound=True),)
FAILED = Cause(
    "The journal cannot be written",
    "journal /var/lib/tableside/table.db: row 81235 is not on disk: database or disk is full",
    "Play stopped at once, and the table disconnected from every device. What was not on disk was neither "
    "shown nor acknowledged: the devices keep it and send it again.",
    (
        "Leave cards and chips where they lie.",
        "Make room on the disk, or have it replaced: the red box says what failed.",
        "Start the service again. The round goes on where it was; the devices send what is missing.",
        "If it halts again: settle the round by hand, and call the technician on duty.",
    ),
)
AWAY = Outage("absent", "Table 7", "blackjack-x", "0.1.0", 1795190400.0, ABSENT, METERS)
HALTED = Outage("halted", "Table 7", "blackjack-x", "0.1.0", 1795190400.0, FAILED, METERS, 1795190410.0)
EXCESS = """() => {
  const {scrollWidth, scrollHeight} = document.documentElement;
  return [scrollWidth - innerWidth, scrollHeight - innerHeight];
}"""


@pytest.mark.parametrize("outage", [AWAY, HALTED], ids=["away", "halted"])
async def test_an_outage_fits_the_tables_screen_and_the_width_of_a_phone(outage: Outage) -> None:
    assert await _excess(outage, KIOSK) == [0, 0]
    assert (await _excess(outage, PHONE))[0] == 0


async def test_the_page_is_loaded_again_once_the_server_says_something_else() -> None:
    shown = [HALTED]
    async with chromium() as browser:
        page = await browser.new_page()
        await page.clock.install()
        await page.route("**/*", partial(_answer, shown))
        await page.goto("http://table/")
        await expect(page.get_by_role("heading", level=2).first).to_have_text(FAILED.title)
        await page.evaluate("document.title = 'the same document'")
        await page.clock.run_for(EVERY)
        await expect(page).to_have_title("the same document")
        shown[0] = AWAY
        await page.clock.run_for(EVERY)
        await expect(page.get_by_role("heading", level=2).first).to_have_text(ABSENT.title)
        await page.unroute_all(behavior="wait")  # its style sheet may still be on the way


async def _answer(shown: Sequence[Outage], route: Route) -> None:
    """Answers as the server does that shows the first of these."""
    wire = httpx.ASGITransport(application(shown[0], _no_metrics))
    async with httpx.AsyncClient(transport=wire, base_url="http://table") as client:
        found = await client.get(urlsplit(route.request.url).path)
    await route.fulfill(status=found.status_code, body=found.content, headers=dict(found.headers))


async def _excess(outage: Outage, size: Sequence[int]) -> list[int]:
    """By how many pixels the page is wider and higher than the window."""
    async with chromium() as browser:
        page = await browser.new_page(viewport={"width": size[0], "height": size[1]})
        await page.route("**/*", partial(_answer, [outage]))
        await page.goto("http://table/")
        excess: list[int] = await page.evaluate(EXCESS)
    return excess


async def _no_metrics() -> str:
    return ""
