"""The jobs of a table's people, with the number of touches that each takes. Rounds: test_rounds.py."""

from collections.abc import Sequence
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
SEAT, OTHER = 3, 5
WAGER = 500
PAID = "Kc 9c 6h Ts 7d Td"
"""A burned card; seat 3 has 19; the dealer has a face-down 7, then 23."""
LOST = "Kc 9c Tc 8h 8s Ts Th"
"""A burned card; seat 3 has 17, seat 5 has 20; the dealer has 18."""
SPARE = "2c 3c 4c 5c"
"""Cards that stay in the shoe, which would otherwise suspend the round."""


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
        await _rounds_played(house)
        async with touches.job("Finding the round of two minutes ago in which seat 3 was paid"):
            await _paid_round_found(ann)
        await _voided(house, touches)
        await hit(house, dealer)
        async with touches.job("Jackpot of $10,000"):
            await confirm(dealer, "$10,000.15")
            await _step(house, BOB, "Verify: claim 1", "Cards and stake seen on camera")
            await _step(house, ANN, "Verify as second: claim 1")
            await _step(house, BOB, "Paid: claim 1")
        async with touches.job("Lamp test"):
            await _lamps_tested(house.pages[TECHNICIAN])


async def _bets_closed(house: BrowserTable, cards: str = SPARE, seats: Sequence[int] = (SEAT,)) -> None:
    """These seats have wagers, and the dealer has closed betting."""
    wagers = f"{len(seats)} wager"
    with Hand(house.stage.control("shoe")) as shoe, Hand(house.stage.control("sensors")) as sensors:
        shoe.ask("load", cards=cards, decks=8)
        sensors.ask("clear")
        for seat in seats:
            sensors.ask("put", seat=seat, spot=0, cents=WAGER)
        await expect(house.pages[DEALER].locator("#due")).to_contain_text(wagers)
    await house.tap("close", 0, 0)


async def _round(house: BrowserTable, cards: str, seats: Sequence[int]) -> None:
    """Every seat stands on its first two cards."""
    dealer = house.pages[DEALER]
    await _bets_closed(house, f"{cards} {SPARE}", seats)
    burned, dealt = 1, 2 * (len(seats) + 1)
    with Hand(house.stage.control("shoe")) as shoe:
        for due in ("Burn 1 card", *(f"Deal {left} card" for left in range(dealt, 0, -1))):
            await expect(dealer.locator("#due")).to_contain_text(due)
            await pull(shoe)
        for seat in seats:
            await house.tap("stand", seat, 0)
        for _ in cards.split()[burned + dealt :]:
            await expect(dealer.locator("#due")).to_contain_text("Dealer has")
            await pull(shoe)
    for seat in seats:
        await house.tap("pay", seat, 0)
    await expect(dealer.locator("#due")).to_contain_text("Place your bets")


async def _rounds_played(house: BrowserTable) -> None:
    """The second of three rounds pays seat 3. In the others it loses, and seat 5 is paid."""
    await _round(house, LOST, (SEAT, OTHER))
    await _round(house, PAID, (SEAT,))
    await _round(house, LOST, (SEAT, OTHER))


async def _paid_round_found(ann: Page) -> None:
    await ann.get_by_role("link", name="Rounds").click()
    await ann.get_by_role("link", name=f"Seat {SEAT} won").click()
    await ann.wait_for_url(f"**/rounds?seat={SEAT}&above=0")
    await expect(ann.locator(".rounds .which a")).to_have_count(1)
    await ann.locator(".rounds .which a").first.click()
    await expect(ann.get_by_role("heading", level=1)).to_have_text("Round 2")
    paid = ann.locator(".seated li").filter(has=ann.get_by_role("heading", name=f"Seat {SEAT}"))
    await expect(paid.locator(".gain").first).to_have_text("+$5")


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
    """One lamp does not show what the picture says."""
    await page.get_by_role("button", name="Lamps", exact=True).click()
    await page.get_by_role("button", name="Enter test mode").click()
    await page.get_by_role("button", name="Walk").click()
    lamp = page.locator(".lamp-picture button").first
    await lamp.click()
    await expect(lamp).to_contain_text("faulty")
    await page.get_by_role("button", name="Leave test mode").click()
    await expect(page.get_by_text("Not in test mode")).to_be_visible()
