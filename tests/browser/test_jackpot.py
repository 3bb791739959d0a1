"""A jackpot is hit: the dealer confirms, two supervisors verify, one hands it over; a kill in between."""

from pathlib import Path
from typing import Final

from playwright.async_api import Page, expect

from controller.demo.scene import Scene
from controller.demo.stage import Stage
from tests.browser.pit import PHONE, Pit, pit, pull
from tests.system.hand import Hand
from tests.system.test_jackpot import CARDS, SEAT, SPOT

WON: Final = "10,000.15"


async def test_two_people_approve_it(tmp_path: Path) -> None:
    async with pit(tmp_path, Scene(game="blackjack-x")) as house:
        dealer = await house.come("Dee Ray")
        await _hit(house, dealer)
        ann, bob = await house.come("Ann Lee"), await house.come("Bob Kay", PHONE)
        await expect(ann.get_by_text("The dealer does that at the console")).to_be_visible()
        await dealer.get_by_role("button", name=f"Confirm claim 1: seat {SEAT}, {WON}").click()
        await dealer.locator("#claim [data-confirm]").click()
        await _signed(ann, "Verify: claim 1")
        await house.stage.kill_daemon()
        for page in (dealer, ann, bob):
            await expect(page.locator("#lost")).to_be_visible()
        await house.stage.start_daemon()
        await expect(ann.get_by_text("You have signed it before")).to_be_visible()
        await expect(dealer.locator("#lost")).to_be_hidden()
        await _signed(bob, "Verify as second: claim 1")
        await _signed(ann, "Paid: claim 1")
        await expect(bob.get_by_text("Last hits: 1")).to_be_visible()
        await ann.get_by_role("link", name="Audit").click()
        await expect(ann.get_by_role("main")).to_contain_text("Bob Kay")


async def _hit(house: Pit, dealer: Page) -> None:
    """Up to the third 7 of diamonds."""
    with _hand(house.stage, "shoe") as shoe, _hand(house.stage, "sensors") as sensors:
        shoe.ask("load", cards=CARDS, decks=8)
        for spot, cents in ((0, 500), (SPOT, 100)):
            sensors.ask("put", seat=SEAT, spot=spot, cents=cents)
        await expect(dealer.locator("#due")).to_contain_text("2 wagers")
        await house.tap("close", 0, 0)
        for due in ("Burn 1 card", "Deal 4 cards", "Deal 3 cards", "Deal 2 cards"):
            await expect(dealer.locator("#due")).to_contain_text(due)
            await pull(shoe)


def _hand(stage: Stage, kind: str) -> Hand:
    return Hand(stage.control(kind))


async def _signed(page: Page, button: str) -> None:
    """A step of the claim, with its reason."""
    await page.get_by_role("button", name=button).click()
    await page.locator("dialog[open] [name='why']").fill("seen on camera 4")
    await page.locator("dialog[open] [type='submit']").click()
    await expect(page.locator("dialog[open]")).to_have_count(0)
