"""A round that hits a jackpot, dealt up to the card before the winning one, and the steps of the claim."""

from playwright.async_api import Page, expect

from tests.fixtures.browser_table import BrowserTable, pull
from tests.fixtures.device_control import Hand
from tests.system.sevens import CARDS, SEAT, SPOT


async def hit(house: BrowserTable, dealer: Page) -> None:
    """Deals up to the card before the third 7 of diamonds; clears old chips first."""
    with Hand(house.stage.control("shoe")) as shoe, Hand(house.stage.control("sensors")) as sensors:
        shoe.ask("load", cards=CARDS, decks=8)
        sensors.ask("clear")
        for spot, cents in ((0, 500), (SPOT, 100)):
            sensors.ask("put", seat=SEAT, spot=spot, cents=cents)
        await expect(dealer.locator("#due")).to_contain_text("2 wagers")
        await house.tap("close", 0, 0)
        for due in ("Burn 1 card", "Deal 4 cards", "Deal 3 cards", "Deal 2 cards"):
            await expect(dealer.locator("#due")).to_contain_text(due)
            await pull(shoe)


async def confirm(dealer: Page, amount: str = "") -> None:
    """The dealer confirms on the console which hand won."""
    await dealer.get_by_role("button", name=f"Confirm claim 1: seat {SEAT}, {amount}").click()
    await dealer.locator("#claim [data-confirm]").click()


async def say(page: Page, button: str) -> None:
    """A supervisor opens a form, gives a reason and looks at the preview."""
    await page.get_by_role("button", name=button).click()
    await page.locator("dialog[open] [name='why']").fill("seen on camera 4")
    await page.locator("dialog[open] [type='submit']").click()


async def sign(page: Page, secret: str) -> None:
    """A supervisor sends the open form with a reason and the password that it asks for."""
    await page.locator("dialog[open] [name='why']").fill("seen on camera 4")
    await page.get_by_label("type your password again").fill(secret)
    await page.locator("dialog[open] [type='submit']").click()
