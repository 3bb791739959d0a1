"""A round is found, opened and replayed in a browser, by keyboard where that suffices."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Page, ViewportSize, expect

from tests.controller.monitor.recall.pages import ask_here
from tests.fixtures.chromium import SHARED, chromium
from tests.fixtures.played_journal import journal, played_table
from tests.fixtures.played_views import PAID, SPLITS
from tests.fixtures.waiting import PATIENCE
from tests.fixtures.web_server import web_server

pytestmark = SHARED

LAST = 21
"""The last step of PAID."""
DESK = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
FELT = "[...document.querySelectorAll('.stage .felt *')]"
LOWEST = f"Math.max(...{FELT}.map(each => each.getBoundingClientRect().bottom))"
WIDEST = "document.documentElement.scrollWidth"


@asynccontextmanager
async def browsing(folder: Path, game: str = "blackjack-x", tokens: str = PAID) -> AsyncIterator[Page]:
    """A page at a table whose first round is this one; an error on the page fails the test."""
    with played_table(folder, game) as at:
        at.play(tokens)
    async with web_server(journal=journal(folder), ask=ask_here) as served, chromium() as browser:
        page = await browser.new_page(base_url=f"http://127.0.0.1:{served.port}")
        page.set_default_timeout(PATIENCE * 1000)
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        yield page
    assert complaints == []


async def test_a_round_is_found_and_gone_through(tmp_path: Path) -> None:
    async with browsing(tmp_path) as page:
        await page.goto("/rounds")
        await page.get_by_text("Search").first.click()
        await page.get_by_label("Cards").fill(" 7s 7s ")
        await page.get_by_label("Won more than").fill("50")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/rounds?above=50&cards=7s+7s")
        await page.get_by_role("link", name="1", exact=True).click()
        await page.get_by_role("link", name="Step by step").click()
        place = page.locator("output.place")
        await page.set_viewport_size(DESK)
        await expect(page.locator(".stage .phase")).to_have_text("betting")
        await expect(place).to_have_text(f"0 of {LAST}")
        for key, step in (("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowLeft", 0), ("End", LAST), ("Home", 0)):
            await page.keyboard.press(key)
            await expect(place).to_have_text(f"{step} of {LAST}")
        await page.get_by_role("button", name="Last step").click()
        await expect(page.locator(".stage .prompt")).to_have_text("Round 1 is over")
        assert await page.evaluate(LOWEST) <= DESK["height"]
        await page.locator("[data-step='11']").click()
        await expect(page.locator(".stage").get_by_role("img", name="face-down card")).to_have_count(1)
        await page.get_by_label("Step", exact=True).fill("17")
        drawn = page.locator(".steps [aria-current]")
        await expect(drawn.get_by_role("img", name="five of hearts").first).to_be_visible()
        await page.get_by_role("button", name="Play 4×").click()
        await expect(place).to_have_text(f"{LAST} of {LAST}")
        await expect(page.get_by_role("button", name="Play 4×")).to_have_attribute("aria-pressed", "false")


async def test_the_whole_felt_is_in_sight(tmp_path: Path) -> None:
    async with browsing(tmp_path, "ez-bust", f"{SPLITS} 2:stand 5:stand 7:stand 4h pay") as page:
        await page.set_viewport_size(DESK)
        await page.goto("/rounds/1/replay?step=36")
        await expect(page.locator(".stage li[class*='seat']").nth(1).locator(".hand")).to_have_count(4)
        assert await page.evaluate(LOWEST) <= DESK["height"]
        await page.set_viewport_size(PHONE)
        assert await page.evaluate(WIDEST) == PHONE["width"]
        await page.mouse.wheel(0, 600)
        await expect(page.get_by_role("button", name="Next step")).to_be_in_viewport()
        came = page.locator(".came")
        await expect(came).to_contain_text("= 20")
        await expect(came.get_by_role("img", name="queen of hearts")).to_be_visible()
