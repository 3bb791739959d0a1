"""A round is found, opened and played again in a browser, without a mouse where a keyboard will do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright, expect

from tests.controller.monitor.house import open_house
from tests.controller.monitor.played import PAID
from tests.controller.replay.house import house, journal

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
LAST = 21
"""The last step of PAID."""


@asynccontextmanager
async def browsing(folder: Path) -> AsyncIterator[Page]:
    """A page at a table whose first round is PAID; what the page complains of fails the test."""
    with house(folder, "blackjack-x") as at:
        at.play(PAID)
    async with open_house(journal=journal(folder)) as served, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = await browser.new_page(base_url=f"http://127.0.0.1:{served.port}")
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        yield page
        await browser.close()
    assert complaints == []


@pytest.mark.timeout(60)
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
        await expect(page.locator(".stage .phase")).to_have_text("betting")
        await expect(place).to_have_text(f"0 of {LAST}")
        for key, step in (("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowLeft", 0), ("End", LAST), ("Home", 0)):
            await page.keyboard.press(key)
            await expect(place).to_have_text(f"{step} of {LAST}")
        await page.get_by_role("button", name="Last step").click()
        await expect(page.locator(".stage .prompt")).to_have_text("Round 1 is over")
        await page.locator("[data-step='11']").click()
        await expect(page.locator(".stage").get_by_role("img", name="face-down card")).to_have_count(1)
        await page.get_by_label("Step", exact=True).fill("17")
        await expect(page.locator(".steps [aria-current]")).to_contain_text("5h")
        await page.get_by_role("button", name="Play 4×").click()
        await expect(place).to_have_text(f"{LAST} of {LAST}")
        await expect(page.get_by_role("button", name="Play 4×")).to_have_attribute("aria-pressed", "false")
