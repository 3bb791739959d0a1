"""The jobs of a table's people, with the number of touches that each takes. Rounds: test_rounds.py."""

from pathlib import Path

from playwright.async_api import Page, expect

from controller.demo.settings import DemoSettings
from tests.browser.win import confirm, hit
from tests.fixtures.browser_table import BrowserTable, browser_table, pull
from tests.fixtures.chromium import SHARED
from tests.fixtures.device_control import Hand
from tests.fixtures.touch_counter import TouchCounter

pytestmark = SHARED

DEALER, ANN, BOB, TECHNICIAN = "Dee Ray", "Ann Lee", "Bob Kay", "Tim Orr"
SEAT = 3
PAID = "Kc 9c 6h Ts 7d Td 2c 3c 4c 5c"
"""A burned card; seat 3 has 19; the dealer has a face-down 7, then 23. The rest is for the next round."""


async def test_jobs_take_as_many_touches_as_documented(tmp_path: Path) -> None:
    touches = TouchCounter()
    async with browser_table(tmp_path, DemoSettings(game="blackjack-x")) as house:
        for name in (DEALER, ANN, BOB, TECHNICIAN):
            await touches.watch(await house.sign_in(name))
        dealer, ann = house.pages[DEALER], house.pages[ANN]
        await _bets_closed(house)
        async with touches.job("Undo of the last key"):
            await dealer.locator("#undo").click()
            await dealer.get_by_role("button", name="Ask the supervisor").click()
            await _step(house, ANN, "Grant: Undo the last key")
            await expect(dealer.locator("#due")).to_contain_text("1 wager")
        await _round_paid(house)
        async with touches.job("Finding the round of two minutes ago in which seat 3 was paid"):
            await ann.get_by_role("link", name="Rounds").click()
            await ann.get_by_role("link", name=f"Seat {SEAT}").click()
            await ann.locator(".rounds .which a").first.click()
            await expect(ann.get_by_role("heading", level=1)).to_contain_text("Round 1")
        await _voided(house, touches)
        await hit(house, dealer)
        async with touches.job("Jackpot of $10,000"):
            await confirm(dealer, "$10,000.15")
            await _step(house, BOB, "Verify: claim 1", "Cards and stake seen on camera")
            await _step(house, ANN, "Verify as second: claim 1", "Cards and stake seen on camera")
            await _step(house, BOB, "Paid: claim 1", "Paid in cash")
        async with touches.job("Lamp test"):
            await _lamps_tested(house.pages[TECHNICIAN])


async def _bets_closed(house: BrowserTable, cards: str = PAID) -> None:
    with Hand(house.stage.control("shoe")) as shoe, Hand(house.stage.control("sensors")) as sensors:
        shoe.ask("load", cards=cards, decks=8)
        sensors.ask("put", seat=SEAT, spot=0, cents=500)
        await expect(house.pages[DEALER].locator("#due")).to_contain_text("1 wager")
    await house.tap("close", 0, 0)


async def _round_paid(house: BrowserTable) -> None:
    """Seat 3 wins with 19."""
    dealer = house.pages[DEALER]
    await house.tap("close", 0, 0)
    with Hand(house.stage.control("shoe")) as shoe:
        for due in ("Burn 1 card", "Deal 4 cards", "Deal 3 cards", "Deal 2 cards", "Deal 1 card"):
            await expect(dealer.locator("#due")).to_contain_text(due)
            await pull(shoe)
        await house.tap("stand", SEAT, 0)
        await pull(shoe)
    await house.tap("pay", SEAT, 0)
    await expect(dealer.locator("#due")).to_contain_text("Place your bets")


async def _step(house: BrowserTable, who: str, button: str, reason: str = "") -> None:
    """A supervisor opens a form, chooses a reason if one is needed, types the password, and sends it."""
    page = house.pages[who]
    await page.get_by_role("button", name=button).click()
    if reason:
        await page.get_by_role("button", name=reason).click()
    await page.get_by_label("type your password again").fill(house.members[who].secret)
    await page.locator("dialog[open] [type='submit']").click()
    await expect(page.locator("dialog[open]")).to_have_count(0)


async def _voided(house: BrowserTable, touches: TouchCounter) -> None:
    """A round in which cards were exposed."""
    ann = house.pages[ANN]
    await ann.goto(f"{house.stage.address}supervisor")
    await _bets_closed(house)
    async with touches.job("Void of a round"):
        await ann.get_by_role("button", name="Void the round").click()
        await ann.get_by_role("button", name="Cards were exposed").click()
        await ann.get_by_role("button", name="Preview").click()
        await ann.locator("#word").get_by_role("button", name="Void the round").click()
        await expect(ann.locator("#word")).to_be_hidden()


async def _lamps_tested(page: Page) -> None:
    await page.locator("#why").fill("monthly test")
    await page.get_by_role("button", name="Enter test mode").click()
    await page.get_by_role("button", name="Walk").click()
    await page.locator("#seen").fill("good")
    await page.get_by_role("button", name="Record").click()
    await expect(page.get_by_text("Recorded under your name.")).to_be_visible()
    await page.get_by_role("button", name="Leave test mode").click()
    await expect(page.get_by_text("Not in test mode")).to_be_visible()
