"""The pages of a floor of twelve tables, made of statuses as tables send them, and of two nights of one
table."""

import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.async_api import Page, expect

from controller.calendar import Calendar
from controller.floor.tables.alerts import FloorCause
from tests.browser.pictures.photographer import Photographer
from tests.browser.test_floor import FULL, stored
from tests.fixtures.browser_table import DESK
from tests.fixtures.floor_pages import FloorHouse, floor_house
from tests.fixtures.stored_floor import DAY, TABLE

COUNT: Final = 12
ROUND: Final = f"/floor/tables/{TABLE.table}/journals/{TABLE.epoch}/rounds/3"
PATHS: Final = {
    "floor": "/floor",
    "floor-wall": "/floor?wall=1",
    "floor-table": "/floor/tables/bj-001",
    "floor-rounds": "/floor/rounds",
    "floor-round": ROUND,
    "floor-reports": "/floor/reports",
    "floor-report": "/floor/reports/2023-11-14",
    "floor-jackpot": "/floor/levels/grand",
    "floor-notices": "/floor/notices",
}


async def picture_floor(photographer: Photographer) -> None:
    """All pages of a floor."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with floor_house(folder, COUNT, past=stored(folder)) as house:
            house.picture.report(FloorCause("full", which="JOURNAL"), FULL, time.time())
            page = await house.page(*DESK)
            await photographer.take(page, "floor-sign-in", _url(house, "/sign-in?next=/floor"))
            await house.sign_in(page, "Ann Lee")
            await _enter_notice(page)
            for picture, path in PATHS.items():
                await photographer.take(page, picture, _url(house, path))


def _url(house: FloorHouse, path: str) -> str:
    return f"{house.url.rstrip('/')}{path}"


async def _enter_notice(page: Page) -> None:
    """The supervisor enters that a technician will repair a table."""
    await page.goto("/floor/notices")
    await page.get_by_role("button", name="Enter a notice").click()
    form = page.locator("#word")
    await form.get_by_label("Table").select_option("bj-002")
    await form.get_by_label("Persons who do it").fill("Cy Tech")
    begins = Calendar().format_time(time.time() + 4 * DAY, "%Y-%m-%dT%H:%M")
    await form.get_by_label("Begin (UTC)").fill(begins)
    await form.get_by_role("button", name="Repair").click()
    await form.get_by_role("button", name="Enter", exact=True).click()
    await expect(page.locator("tbody tr")).to_contain_text("Cy Tech")
