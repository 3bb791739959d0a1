"""Every page at the size of a desk and of a phone: no serious accessibility fault, and nothing wider than the
screen."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final

from playwright.async_api import Page, ViewportSize, expect

from controller.demo.settings import DemoSettings
from tests.browser.win import confirm, hit, say, sign
from tests.fixtures.accessibility import faint_texts, violations
from tests.fixtures.browser_table import BEING_MADE, DESK, PHONE, BrowserTable, browser_table
from tests.fixtures.chromium import SHARED
from tests.fixtures.page_targets import small_targets

pytestmark = SHARED

GRAVE: Final = frozenset({"serious", "critical"})
PAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "Dee Ray": ("/console", "/", "/account"),
    "Ann Lee": ("/supervisor", "/rounds", "/rounds/1", "/rounds/1/replay", "/reports", "/audit"),
    "Tim Orr": ("/technician", "/account"),
    "Eve Moss": ("/supervisor", "/audit/events"),
}
SIZES: Final = {
    "desk": ViewportSize(width=DESK[0], height=DESK[1]),
    "phone": ViewportSize(width=PHONE[0], height=PHONE[1]),
}
ROUNDS: Final = 3
LOOKED_AT: Final = {"close": "console-betting", "stand": "console-playing", "pay": "console-paying"}
"""Keys, and the state of the console in which each is pressed."""
WIDER: Final = "document.documentElement.scrollWidth - window.innerWidth"


async def test_every_page_is_accessible_and_fits_a_desk_and_a_phone(tmp_path: Path) -> None:
    async with browser_table(tmp_path, DemoSettings(game="blackjack-x", seed=5)) as house:
        dealer = await house.sign_in("Dee Ray")
        found = await _playing(house, dealer)
        for size in SIZES:
            found += [fault for name in PAGES async for fault in _opening(house, name, size)]
            found += await _testing(house, size)
            found += await _signing_in(house, size)
        found += [fault async for fault in _called(house, dealer)]
    assert found == []


async def _opening(house: BrowserTable, name: str, size: str) -> AsyncIterator[str]:
    """The faults of every page that a person can open."""
    page = house.pages.get(name) or await house.sign_in(name)
    await page.set_viewport_size(SIZES[size])
    for path in PAGES[name]:
        await page.goto(f"{house.stage.address.rstrip('/')}{path}")
        await expect(page.locator("main").first).to_be_visible()
        await page.wait_for_load_state("load")
        await expect(page.locator(BEING_MADE)).to_have_count(0)
        for fault in await looked_at(page, colours=size == "desk"):
            yield f"{name} {path} {size}: {fault}"
    if name == "Ann Lee":
        async for fault in _report(house, page, size):
            yield fault


async def _called(house: BrowserTable, dealer: Page) -> AsyncIterator[str]:
    """A jackpot is hit, and one supervisor asks another to void the round."""
    await dealer.set_viewport_size(SIZES["desk"])
    await dealer.goto(f"{house.stage.address}console")
    await hit(house, dealer)
    await confirm(dealer)
    bob, ann = await house.sign_in("Bob Kay"), house.pages["Ann Lee"]
    await say(bob, "Void the round")
    await expect(bob.get_by_role("button", name="Ask another supervisor")).to_be_visible()
    await sign(bob, house.members["Bob Kay"].secret)
    await ann.goto(f"{house.stage.address}supervisor")
    for size, shown in SIZES.items():
        await ann.set_viewport_size(shown)
        for called in ("Grant: Void the round", "Verify: claim 1", "Acknowledge: Jackpot"):
            await expect(ann.get_by_role("button", name=called)).to_be_visible()
        for fault in await looked_at(ann):
            yield f"a supervisor who is called {size}: {fault}"


async def _report(house: BrowserTable, page: Page, size: str) -> AsyncIterator[str]:
    """The report about the shift of these rounds."""
    await page.goto(f"{house.stage.address}reports")
    await page.locator("main a[href^='/reports/']").first.click()
    await expect(page.locator(BEING_MADE)).to_have_count(0)
    for fault in await looked_at(page):
        yield f"a report {size}: {fault}"


async def _testing(house: BrowserTable, size: str) -> list[str]:
    """A technician looks at the lamps in test mode; one of them is reported as faulty."""
    page = house.pages["Tim Orr"]
    await page.goto(f"{house.stage.address}technician")
    await page.locator("[data-because]").first.click()
    await page.get_by_role("button", name="Enter test mode").click()
    await page.get_by_role("button", name="Win", exact=True).click()
    await page.locator(".lamp-picture button").first.click()
    await expect(page.locator(".lamp-picture .faulty")).to_have_count(1)
    found = [f"/technician in test mode {size}: {fault}" for fault in await looked_at(page)]
    await page.locator(".lamp-picture .faulty").click()
    await expect(page.locator(".lamp-picture .faulty")).to_have_count(0)
    await page.get_by_role("button", name="Leave test mode").click()
    await expect(page.locator(".mode.off")).to_be_visible()
    return found


async def _playing(house: BrowserTable, dealer: Page) -> list[str]:
    """Plays some rounds, and looks at the console in each of three states."""
    found = list[str]()
    left = dict(LOOKED_AT)

    async def looks(action: str, seat: int, cents: int) -> None:
        if state := left.pop(action, ""):
            await expect(dealer.locator(f".keys [data-action='{action}']").first).to_be_enabled()
            found.extend(f"{state}: {fault}" for fault in await looked_at(dealer))
        await house.tap(action, seat, cents)

    await house.play(ROUNDS, looks)
    return found


async def _signing_in(house: BrowserTable, size: str) -> list[str]:
    page = await house.browser.new_page(viewport=SIZES[size])
    await page.goto(f"{house.stage.address}sign-in")
    return [f"/sign-in {size}: {fault}" for fault in await looked_at(page)]


async def looked_at(page: Page, *, colours: bool = True) -> list[str]:
    """Serious accessibility faults, one a line. `colours`: in all themes, which need not be done at each
    size."""
    broken = await violations(page, contrast=not colours)
    sentences = [str(each) for each in broken if each.impact in GRAVE]
    wider = await page.evaluate(WIDER)
    sentences += [*(await faint_texts(page) if colours else ()), *await small_targets(page)]
    return sentences + ([f"{wider} px wider than the screen"] if wider > 0 else [])
