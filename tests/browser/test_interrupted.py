"""The daemon restarts during a round, a page loses its connection, a round is voided while the dealer presses
a key."""

import asyncio
import json
import signal
from pathlib import Path

from playwright.async_api import Page, Route, expect

from controller.demo.settings import DemoSettings
from controller.journal.history import History
from tests.fixtures.browser_table import BrowserTable, browser_table, pull
from tests.fixtures.chromium import SHARED
from tests.fixtures.device_control import Hand

pytestmark = SHARED


async def test_a_daemon_that_restarts_in_the_middle_of_a_round_goes_on_with_it(tmp_path: Path) -> None:
    async with browser_table(tmp_path, DemoSettings(game="easy-jack")) as house:
        dealer, ann = await house.sign_in("Dee Ray"), await house.sign_in("Ann Lee")
        await _dealt(house, dealer)
        prompt = await dealer.locator("#due").inner_text()
        await house.stage.kill_daemon()
        for page in (dealer, ann):
            await expect(page.locator("#lost")).to_be_visible()
        await expect(dealer.locator(".keys")).to_have_attribute("inert", "")
        await house.stage.start_daemon()
        for page in (dealer, ann):
            await expect(page.locator("#lost")).to_be_hidden()
        await expect(dealer.locator("#due")).to_have_text(prompt)
        await house.tap("stand", 1, 0)
        await expect(dealer.locator("#due")).not_to_have_text(prompt)


async def test_a_browser_that_lost_its_line_says_so_and_catches_up(tmp_path: Path) -> None:
    async with browser_table(tmp_path, DemoSettings(game="easy-jack")) as house:
        dealer, ann = await house.sign_in("Dee Ray"), await house.sign_in("Ann Lee")
        assert house.stage.daemon
        house.stage.daemon.send_signal(signal.SIGSTOP)
        for page in (dealer, ann):
            await expect(page.locator("#lost")).to_be_visible()
        await expect(ann).to_have_title("? Demonstration: connection lost")
        house.stage.daemon.send_signal(signal.SIGCONT)
        for page in (dealer, ann):
            await expect(page.locator("#lost")).to_be_hidden()
        await expect(ann).not_to_have_title("? Demonstration: connection lost")
        await _dealt(house, dealer)


async def test_a_round_is_void_while_the_dealer_presses_a_key(tmp_path: Path) -> None:
    async with browser_table(tmp_path, DemoSettings(game="easy-jack")) as house:
        dealer, ann = await house.sign_in("Dee Ray"), await house.sign_in("Ann Lee")
        await _dealt(house, dealer)
        await ann.get_by_role("button", name="Void the round").click()
        await ann.locator("#word [name='why']").fill("wrong shoe")
        await ann.locator("#word [type='submit']").click()
        await expect(ann.locator(".preview")).to_contain_text("Every wager of round 1 is given back")
        is_void = asyncio.Event()

        async def late(route: Route) -> None:
            await is_void.wait()
            await route.continue_()

        await dealer.route("**/api/v1/keys", late)
        await house.tap("stand", 1, 0)
        await ann.locator("#word").get_by_role("button", name="Void the round").click()
        await expect(ann.locator("#word")).to_be_hidden()
        is_void.set()
        await expect(dealer.locator("#refusal")).to_contain_text("round")
        await expect(dealer.locator("#due")).to_contain_text("Place your bets")
    kept = [entry.content for entry in History(house.stage.journal).rows()]
    refused = [json.loads(row.body) for row in kept if row.kind == "refusal"]
    assert [(row["action"], row["who"]) for row in refused] == [("stand", "Dee Ray")]


async def _dealt(house: BrowserTable, dealer: Page) -> None:
    """Seat 1 has a card, and the dealer a face-down one."""
    with Hand(house.stage.control("shoe")) as shoe, Hand(house.stage.control("sensors")) as sensors:
        shoe.ask("load", cards="9c 4h 3d 7s 5c 2s 9d Kc Kd", decks=8)
        sensors.ask("put", seat=1, spot=0, cents=500)
        await expect(dealer.locator("#due")).to_contain_text("1 wager")
        await house.tap("close", 0, 0)
        for due in ("Burn 1 card", "Deal 2 cards", "Deal 1 card"):
            await expect(dealer.locator("#due")).to_contain_text(due)
            await pull(shoe)
        await expect(dealer.locator("#due")).to_contain_text("Seat 1 has hard ")
