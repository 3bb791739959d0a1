"""The pages of a simulated table: people sign in, rounds are played, and each page is pictured where it shows
most."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from playwright.async_api import Page, expect

from controller.demo.run import make_crew
from controller.demo.settings import DemoSettings
from controller.monitor.client import fetch
from controller.table.record.views import TableView
from tests.browser.pictures.photographer import Photographer, Ready
from tests.browser.win import confirm, hit, say, sign
from tests.fixtures.browser_table import DESK, BrowserTable, browser_table, pull
from tests.fixtures.device_control import Hand
from tests.fixtures.process_table import ForkedStage
from tests.fixtures.simulator_page import person_at_table
from tests.fixtures.waiting import PATIENCE, PAUSE

FOLDER: Final = Path(tempfile.gettempdir(), "table-7")
"""The technician's page names the ports, so the table's files are at a short path."""
SCENE: Final = DemoSettings(game="blackjack-x", seed=5, name="Table 7")
HOUSE: Final = "Grand Casino"
EARLIER: Final = 24
"""Rounds before the one that is pictured: a report of few rounds says little."""
WAGERS: Final[Mapping[int, tuple[int, ...]]] = {
    1: (2500, 500, 100),
    2: (1000,),
    3: (500, 0, 100),
    4: (10_000,),
    5: (5000, 500),
    6: (1500, 200, 100),
    7: (2500,),
}
"""Cents by seat, on the spots in their order."""
ROUND: Final[Mapping[str, str]] = {
    "console-betting": "",
    "console-insurance": "close 2c 8h 9c 5d Ts 8c Kc 6d As 8d 7s 6h Ah 8s Qh 9d 9h",
    "console-playing": "close 1:split Ts 1:stand 8s 1:split 3d 1:double Kh 9s 1:stand"
    " 2:stand 3:double Th 5:split 2h 5:hit 9h 5:stand Td",
    "console-paying": "5:stand 6:stand 5c 7:stand",
}
"""What happens until each picture: keys, with the seat before them, and cards that are drawn. Seats 1 and 5
split their eights; the dealer has an ace."""
SPARE: Final = ("2c", "3c", "4c")
"""Cards that stay in the shoe, which would otherwise suspend the round."""
CALLED: Final = ("Grant: Void the round", "Verify: claim 1", "Acknowledge: Jackpot")
"""What the supervisor is called for in the end."""


class HouseStage(ForkedStage):
    """A table whose configuration names the house."""

    def _write_files(self) -> None:
        super()._write_files()
        plain = self.config.read_text("utf-8")
        self.config.write_text(plain.replace("[web]\n", f'[web]\nhouse = "{HOUSE}"\n'), "utf-8")


async def picture_table(photographer: Photographer) -> None:
    """All pages of a table, except the simulator of the demonstration."""
    with _folder() as folder:
        async with browser_table(folder, SCENE, HouseStage) as house:
            await _signing_in(photographer, house)
            await make_crew(house.stage).run(EARLIER)
            dealer = await house.sign_in("Dee Ray")
            await _round(photographer, house, dealer)
            await _own_pages(photographer, house)
            await _called(photographer, house, dealer)
            await _halted(photographer, house)


async def picture_simulator(photographer: Photographer) -> None:
    """The table to touch, in the middle of a round."""
    with _folder() as folder:
        async with person_at_table(folder, SCENE) as person:
            for seat, spot, cents in (
                (1, "main", 2500),
                (3, "main", 500),
                (3, "buster", 500),
                (6, "main", 2500),
            ):
                await person.bet(seat, spot, cents)
            await expect(person.prompt).to_contain_text("wagers")
            await person.prepare("2c 8h 9c 5d 6s 8d 7s 6h Ts")
            await person.key("close")
            await person.page.locator("#lay-at-once").check()
            while "stand" not in (await person.situation()).keys:
                await person.draw()

            async def laid(page: Page) -> None:
                await expect(page.locator(".sim-keys [data-key='stand']")).to_be_visible()

            await photographer.take(person.page, "simulator", person.page.url, laid)


@contextmanager
def _folder() -> Iterator[Path]:
    FOLDER.mkdir()
    try:
        yield FOLDER
    finally:
        shutil.rmtree(FOLDER)


async def _signing_in(photographer: Photographer, house: BrowserTable) -> None:
    async with _anybody(house) as page:
        await photographer.take(page, "sign-in", f"{house.stage.address}sign-in")


@asynccontextmanager
async def _anybody(house: BrowserTable) -> AsyncIterator[Page]:
    """The browser of a person who has not signed in."""
    context = await house.browser.new_context(viewport={"width": DESK[0], "height": DESK[1]})
    yield await context.new_page()
    await context.close()


async def _round(photographer: Photographer, house: BrowserTable, dealer: Page) -> None:
    """Plays a round by hand, and takes pictures of the console and of the live page."""
    address = house.stage.address
    with ExitStack() as hands:
        shoe, sensors, console = (
            hands.enter_context(Hand(house.stage.control(kind))) for kind in ("shoe", "sensors", "console")
        )
        cards = [token for token in " ".join(ROUND.values()).split() if _is_card(token)]
        shoe.ask("load", cards=" ".join([*cards, *SPARE]), decks=8)
        sensors.ask("clear")
        for seat, stakes in WAGERS.items():
            for spot, cents in enumerate(stakes):
                if cents:
                    sensors.ask("put", seat=seat, spot=spot, cents=cents)
        await expect(dealer.locator("#due")).to_contain_text("wagers")
        for name, happens in ROUND.items():
            for token in happens.split():
                await _act(house, shoe, console, token)
            if name == "console-playing":
                await photographer.take(dealer, "live", address)
            await photographer.take(dealer, name, f"{address}console")
        await _act(house, shoe, console, "pay")
    await expect(dealer.locator("#due")).to_contain_text("Place your bets")


def _is_card(token: str) -> bool:
    return len(token) == 2


async def _act(house: BrowserTable, shoe: Hand, console: Hand, token: str) -> None:
    """A card is drawn, or a key of the hardware console is pressed once it is lit."""
    if _is_card(token):
        out = (await _view(house)).shoe.cards_out
        await pull(shoe)
        await _until(house, lambda view: view.shoe.cards_out > out)
        return
    seat, _, action = token.rpartition(":")
    place = int(seat or 0)
    await _until(
        house,
        lambda view: any(key.action == action and (not place or place in key.seats) for key in view.presses),
    )
    console.ask("press", action=action, seat=place)


async def _until(house: BrowserTable, condition: Callable[[TableView], bool]) -> None:
    """Returns when the view fulfils the condition."""
    end = time.monotonic() + PATIENCE
    while not condition(await _view(house)):
        assert time.monotonic() < end, "the table does not follow the round of the pictures"
        await asyncio.sleep(PAUSE)


async def _view(house: BrowserTable) -> TableView:
    return await asyncio.to_thread(fetch, "127.0.0.1", house.stage.web_port, timeout=PATIENCE)


async def _own_pages(photographer: Photographer, house: BrowserTable) -> None:
    """What each person finds behind the entries of the navigation."""
    address = house.stage.address
    await photographer.take(house.pages["Dee Ray"], "account", f"{address}account")
    tim, eve, ann = [await house.sign_in(name) for name in ("Tim Orr", "Eve Moss", "Ann Lee")]
    await photographer.take(tim, "technician", f"{address}technician")
    await _testing(photographer, tim, f"{address}technician")
    await photographer.take(tim, "reference", f"{address}api/v1")
    await photographer.take(eve, "events", f"{address}audit/events")
    for name, path in (
        ("rounds", "rounds"),
        ("round", f"rounds/{EARLIER + 1}"),
        ("replay", f"rounds/{EARLIER + 1}/replay"),
        ("reports", "reports"),
        ("audit", "audit"),
    ):
        await photographer.take(ann, name, f"{address}{path}")
    await ann.goto(f"{address}reports")
    report = await ann.locator("main a[href^='/reports/']").first.get_attribute("href")
    await photographer.take(ann, "report", f"{address.rstrip('/')}{report}")


async def _testing(photographer: Photographer, tim: Page, url: str) -> None:
    """All lamps show that their wager has won, and one does not."""

    async def shows_lamps(page: Page) -> None:
        await expect(page.locator(".lamp-picture .faulty")).to_have_count(1)

    await tim.goto(url)
    await tim.locator("[data-because]").first.click()
    await tim.get_by_role("button", name="Enter test mode").click()
    await tim.get_by_role("button", name="Win", exact=True).click()
    await tim.locator(".lamp-picture button").nth(7).click()
    await photographer.take(tim, "technician-testing", url, shows_lamps)
    await tim.locator(".lamp-picture .faulty").click()
    await expect(tim.locator(".lamp-picture .faulty")).to_have_count(0)
    await tim.get_by_role("button", name="Leave test mode").click()
    await expect(tim.locator(".mode.off")).to_be_visible()


def _opens(form: str) -> Ready:
    """Opens a form of the supervisor's page, and waits until it can be sent."""

    async def opened(page: Page) -> None:
        await page.locator(f"[data-form='{form}']").first.click()
        await expect(page.locator("dialog[open] [type='submit']")).to_be_enabled()

    return opened


async def _has_body(page: Page) -> None:
    """Returns when a page without navigation shows its contents."""
    await expect(page.locator("body")).to_contain_text("1")


async def _called(photographer: Photographer, house: BrowserTable, dealer: Page) -> None:
    """A jackpot is hit, and one supervisor asks another to void the round."""
    address = house.stage.address
    await dealer.goto(f"{address}console")
    await hit(house, dealer)
    await dealer.locator("#call").click()
    await photographer.take(dealer, "console-claim", f"{address}console")
    await confirm(dealer)
    bob = await house.sign_in("Bob Kay")
    await say(bob, "Void the round")
    await expect(bob.get_by_role("button", name="Ask another supervisor")).to_be_visible()
    await sign(bob, house.members["Bob Kay"].secret)
    ann = house.pages["Ann Lee"]
    await ann.goto(f"{address}supervisor")
    for called in CALLED:
        await expect(ann.get_by_role("button", name=called)).to_be_visible()
    await photographer.take(ann, "supervisor", f"{address}supervisor")
    for name, form in (("supervisor-claim", "claim/1/verify"), ("supervisor-void", "decision/void")):
        await photographer.take(ann, name, f"{address}supervisor", _opens(form))
    await photographer.take(ann, "slip", f"{address}claims/1/slip", _has_body)


async def _halted(photographer: Photographer, house: BrowserTable) -> None:
    """Somebody changes a card in the journal; the next daemon halts."""
    await house.stage.stop_daemon()
    journal = house.stage.journal
    journal.write_bytes(journal.read_bytes().replace(b'"card":"7d"', b'"card":"7h"', 1))
    await house.stage.start_daemon()

    async def halted(page: Page) -> None:
        await expect(page.locator(".why")).to_be_visible()

    async with _anybody(house) as page:
        await photographer.take(page, "halted", house.stage.address, halted)
