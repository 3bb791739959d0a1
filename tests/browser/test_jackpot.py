"""A jackpot is hit: the dealer confirms it, two supervisors verify it, one pays it; the daemon is killed in
between."""

from functools import partial
from pathlib import Path
from typing import Final

from playwright.async_api import expect

from controller.demo.settings import DemoSettings
from tests.browser.win import confirm, hit, sign
from tests.fixtures.browser_table import PHONE, BrowserTable, browser_table
from tests.fixtures.chromium import SHARED
from tests.fixtures.linked_stage import LinkedStage, admit, open_level, uplink_of

pytestmark = SHARED

WON: Final = "$10,000.15"
BLACKJACK_X: Final = DemoSettings(game="blackjack-x")


async def test_two_people_approve_a_jackpot_claim(tmp_path: Path) -> None:
    async with browser_table(tmp_path, BLACKJACK_X) as house:
        dealer = await house.sign_in("Dee Ray")
        await hit(house, dealer)
        ann, bob = await house.sign_in("Ann Lee"), await house.sign_in("Bob Kay", PHONE)
        await expect(ann.get_by_text("The dealer does this at the console")).to_be_visible()
        await confirm(dealer, WON)
        await _signed(house, "Ann Lee", "Verify: claim 1")
        await house.stage.kill_daemon()
        for page in (dealer, ann, bob):
            await expect(page.locator("#lost")).to_be_visible()
        await house.stage.start_daemon()
        await expect(ann.get_by_text("You signed an earlier step")).to_be_visible()
        await expect(dealer.locator("#lost")).to_be_hidden()
        await _signed(house, "Bob Kay", "Verify as second: claim 1")
        await _signed(house, "Ann Lee", "Paid: claim 1")
        await expect(bob.get_by_text("Last hits: 1")).to_be_visible()
        await ann.get_by_role("link", name="Audit").click()
        await expect(ann.get_by_role("main")).to_contain_text("Bob Kay")


async def test_two_people_pay_a_linked_jackpot_from_two_screens(tmp_path: Path) -> None:
    async with (
        open_level(tmp_path) as level,
        browser_table(
            tmp_path / "table", DemoSettings(game="blackjack-x"), partial(LinkedStage, level.server)
        ) as house,
    ):
        await admit(level, house.stage)
        async with uplink_of(house.stage):
            dealer = await house.sign_in("Dee Ray")
            await expect(dealer.locator(".bar .jackpot b")).to_have_text("$500")
            await expect(dealer.locator(".bar .jackpot .tag")).to_have_count(0)
            await hit(house, dealer)
            ann, bob = await house.sign_in("Ann Lee"), await house.sign_in("Bob Kay", PHONE)
            await confirm(dealer, "$500.15")
            await _signed(house, "Ann Lee", "Verify: claim 1")
            await expect(bob.get_by_text("Ann Lee").first).to_be_visible()
            await _signed(house, "Bob Kay", "Paid: claim 1")
            await expect(ann.get_by_text("Last hits: 1")).to_be_visible()
            assert await level.ended_claims() == ["paid"]


async def _signed(house: BrowserTable, who: str, button: str) -> None:
    """Takes a step of the claim, with its reason and the person's password."""
    page = house.pages[who]
    await page.get_by_role("button", name=button).click()
    await sign(page, house.members[who].secret)
    await expect(page.locator("dialog[open]")).to_have_count(0)
