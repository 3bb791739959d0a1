"""A whole table as processes, and people who come to it with a browser each."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from controller.access.people import Role
from controller.demo.manners import manners
from controller.demo.scene import Scene
from controller.demo.staff import Member, staff
from controller.demo.stage import KINDS, Stage
from drivers.sim.crew import Crew
from tests.browser.taps import Tap, screen
from tests.chromium import chromium
from tests.system.hand import Hand, Refusal
from tests.system.stage import QuickStage
from tests.waiting import PATIENCE

DESK, PHONE = (1280, 800), (390, 844)
STAFF: Mapping[str, Role] = {
    "Dee Ray": "dealer", "Ann Lee": "supervisor", "Bob Kay": "supervisor", "Tim Orr": "technician",
    "Eve Moss": "auditor",
}  # fmt: skip
LONGEST = 5 * PATIENCE
"""Seconds after which a play is given up."""


@dataclass
class Pit:
    """`stage` has the table's processes. Whoever comes has a browser of their own."""

    stage: Stage
    browser: Browser
    members: Mapping[str, Member]
    size: tuple[int, int] = DESK
    pages: dict[str, Page] = field(default_factory=dict)

    async def come(self, name: str, size: tuple[int, int] | None = None) -> Page:
        """Somebody opens the table's page and signs in; their first page is shown when this returns."""
        width, height = size or self.size
        context = await self.browser.new_context(viewport={"width": width, "height": height})
        page = self.pages[name] = await context.new_page()
        await page.goto(f"{self.stage.address}sign-in")
        await (self._by_pin if STAFF[name] == "dealer" else self._by_password)(page, name)
        await page.wait_for_url(lambda url: "sign-in" not in url)
        return page

    async def tap(self, action: str, seat: int, cents: int) -> None:
        """The dealer presses a key on the screen, with one finger."""
        page = self.pages["Dee Ray"]
        wanted = page.locator(f".keys button[data-action='{action}'][data-seat='{seat}']")
        await expect(wanted).to_be_enabled()
        if cents:
            await self._amount(page, action, seat, cents)
        else:
            await wanted.click()

    async def play(self, rounds: int, tap: Tap | None = None) -> Crew:
        """A crew plays so many rounds, whose dealer has nothing but the screen; keys go to `tap` instead."""
        path, scene = self.stage.folder / "screen.control", self.stage.scene
        controls = {kind: self.stage.control(kind) for kind in KINDS} | {"console": path}
        crew = Crew(controls, manners(scene.rules), scene.seed, patience=PATIENCE)
        async with screen(path, self.stage.control("console"), tap or self.tap), asyncio.timeout(LONGEST):
            await crew.run(rounds)
        return crew

    async def _by_pin(self, page: Page, name: str) -> None:
        await page.get_by_text(name).click()
        for digit in self.members[name].secret:
            await page.locator(f"[data-digit='{digit}']").click()
        await page.get_by_role("button", name="Enter").click()

    async def _by_password(self, page: Page, name: str) -> None:
        await page.get_by_role("button", name="Others").click()
        await page.locator("#name").fill(name)
        await page.locator("#password").fill(self.members[name].secret)
        await page.get_by_role("button", name="Sign in").click()

    async def _amount(self, page: Page, action: str, seat: int, cents: int) -> None:
        await page.locator(f"[data-more='{action}'][data-seat='{seat}']").click()
        await page.locator("#amount [name='cents']").fill(f"{cents // 100}.{cents % 100:02}")
        await page.locator("#amount [data-confirm]").click()


async def pull(shoe: Hand) -> None:
    """A card leaves the shoe once it, too, has heard that one is due."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                shoe.ask("pull")
            except Refusal as refused:
                if "is locked" not in str(refused):
                    raise
                await asyncio.sleep(0.02)
            else:
                return


@asynccontextmanager
async def pit(folder: Path, scene: Scene) -> AsyncIterator[Pit]:
    """A table with accounts, whose daemon runs."""
    async with QuickStage(folder, scene) as stage, chromium() as browser:
        members = {member.name: member for member in staff(stage.folder / "access.db", STAFF)}
        await stage.start_daemon()
        yield Pit(stage, browser, members)
