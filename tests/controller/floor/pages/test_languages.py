"""The floor's pages in the language of the person who reads them."""

from pathlib import Path

from playwright.async_api import expect

from controller.floor.tables.alerts import FloorCause
from tests.browser.test_floor import stored
from tests.fixtures.chromium import SHARED
from tests.fixtures.floor_pages import DEALERS, EPOCH, GAMES, PITS, STAFF, floor_house
from tests.fixtures.page_texts import untranslated
from tests.fixtures.stored_floor import TABLE

pytestmark = SHARED
DAY = "2023-11-14"
NAMES = ("Grand Casino", "Tableside", "UTC", "tableside", "grand", EPOCH, *DEALERS, *GAMES, *PITS, *STAFF)
FROM_PEOPLE = ("cards were dropped", "seen on film", "audit", "A. Smith", "B. Jones", "Dana Moreau")
FROM_FIXTURES = ("Tim Orr tests the lamps", "The shoe does not answer")
"""What tables say in floor_pages.py; no code writes it."""
DATA = ("blackjack-x", "blazing-7s", "void", "ALERT", "POWER_UP", " min ")
PATHS = (
    "/floor",
    "/floor?order=layout",
    "/floor?wall=1",
    "/floor/tables/bj-001",
    "/floor/tables/bj-002",
    "/floor/tables/bj-003",
    "/floor/notices",
    "/floor/levels/grand",
    "/floor/rounds",
    "/floor/reports",
    f"/floor/reports/{DAY}",
    f"/floor/tables/{TABLE.table}/reports/{DAY}",
)


async def test_every_text_of_the_floors_pages_is_translated(tmp_path: Path) -> None:
    found, known = set(), (*NAMES, *FROM_PEOPLE, *FROM_FIXTURES, *DATA)
    async with floor_house(tmp_path, 7, past=stored(tmp_path)) as house:
        house.picture.report(
            FloorCause("replica", which="JOURNAL"), "Stream JOURNAL is not up to date on a", 1.0
        )
        page = await house.page(1280, 900)
        await house.sign_in(page, "Ann Lee")
        await page.context.add_cookies([{"name": "language", "value": "en-XA", "url": house.url}])
        for path in PATHS:
            await page.goto(path)
            if path.count("/") == 1:
                await expect(page.locator(".tile")).to_have_count(7)
            found |= {f"{path}: {text}" for text in await untranslated(page, known)}
    assert found == set()


async def test_two_persons_read_the_same_tiles_in_their_languages(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 3) as house:
        persons = {"es": "Ann Lee", "en": "Tim Orr"}
        pages = {code: await house.page(1280, 900) for code in persons}
        for code, page in pages.items():
            await house.sign_in(page, persons[code])
            await page.context.add_cookies([{"name": "language", "value": code, "url": house.url}])
            await page.goto("/floor")
        for code, word in (("es", "Revisar la mesa"), ("en", "Check table"), ("es", "Revisar la mesa")):
            await expect(pages[code].locator("#tile-bj-002 .call")).to_have_text(word)
        house.say("bj-001", 0, test="a lamp")
        for code, word in (("es", "Modo de prueba"), ("en", "Test mode")):
            await expect(pages[code].locator("#tile-bj-001 .state b")).to_have_text(word)
