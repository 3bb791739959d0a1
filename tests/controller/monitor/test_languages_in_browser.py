"""The pages in pseudo-languages and in Spanish: what is not translated, and what does not fit."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from controller.access.people import Person
from controller.languages import LANGUAGES, speaking
from controller.monitor.past.worker import WorkerPool
from controller.past.slips.page import slip_html
from controller.table.record.views import TableView
from tests.controller.monitor.console.reading import DEE
from tests.controller.monitor.console.test_looks import (
    CLIPPED,
    CUT_OFF,
    FITS,
    PHONE,
    SCREENS,
    STATES,
    TIGHT,
    WHOLE,
)
from tests.controller.monitor.reporting import reporter
from tests.controller.past.reports.played_days import DAY, played_day
from tests.controller.past.slips.jackpot_hit import STEPS, end, jackpot_hit, slip_of, take_steps
from tests.fixtures import table_views
from tests.fixtures.chromium import chromium
from tests.fixtures.page_texts import too_wide, untranslated
from tests.fixtures.web_server import KnownPerson, WebServer, web_server

ANN = Person("Ann", "supervisor")
VIEWS: Mapping[str, TableView] = {
    **{name: STATES[name] for name in ("four hands", "insurance", "jackpot", "suspended with claims")},
    **{name: table_views.STATES[name] for name in ("settled", "void")},
}
NAMES = ("Table 7", "Tableside", "Dee", "Ann", "D. Moreau", "A. Smith", "C. Lindqvist")
FROM_FIXTURES = ("no such port; tried every second", "equal totals", "over 11")
"""What no code writes: sentences of table_views.py."""
FROM_JOURNAL = ("blackjack-x", "misdeal", "UTC", " min ")

RIGHT_TO_LEFT: Mapping[str, TableView] = {
    name: STATES[name] for name in ("nine seats", "a crowd with splits is paid")
}
PLACES = """(all) => all.map((one) => [Number(one.textContent), one.getBoundingClientRect().left])
    .sort(([one], [other]) => one - other).map(([, left]) => left)"""
"""From left to right, the places of numbers in their order."""
REVERSED = """() => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const left = (text, place) => {
        const range = document.createRange();
        range.setStart(text, place);
        range.setEnd(text, place + 1);
        return range.getBoundingClientRect().left;
    };
    while (texts.nextNode()) {
        const text = texts.currentNode;
        const amount = text.data.match(/[+−]?\\$[0-9]|[0-9] × \\$/);
        if (!amount || !text.parentElement.checkVisibility()) continue;
        const first = left(text, amount.index), last = left(text, amount.index + amount[0].length - 1);
        if (first >= last) found.push(text.data);
    }
    return found;
}"""
"""Amounts whose sign or symbol stands behind the digits."""


@asynccontextmanager
async def browsing(
    person: Person, language: str, journal: Path | None = None
) -> AsyncIterator[tuple[WebServer, Page]]:
    """A browser in which the person chose the language."""
    known = KnownPerson(person)
    async with web_server(STATES["betting"], journal=journal, door=known) as house, chromium() as browser:
        context = await browser.new_context(viewport=SCREENS[0])
        cookie = {"name": "language", "value": language, "url": f"http://127.0.0.1:{house.port}"}
        await context.add_cookies([cookie])  # type: ignore[list-item]
        yield house, await context.new_page()


async def opened(
    house: WebServer, page: Page, path: str, views: Mapping[str, TableView]
) -> AsyncIterator[str]:
    """The name of each view, while the page shows it."""
    for name, view in views.items():
        house.show(view)
        await house.until_shown()
        await page.goto(f"http://127.0.0.1:{house.port}{path}")
        yield name


def data_of(views: Iterable[TableView]) -> set[str]:
    """What the views call tables, games and devices."""
    facts = {fact for view in views for one in view.devices for fact in (one.serial, one.firmware, one.port)}
    return {*NAMES, *FROM_FIXTURES, *(view.game for view in views), *filter(None, facts)}


async def test_every_text_of_the_pages_is_translated() -> None:
    data, found = data_of([*VIEWS.values(), STATES["betting"]]), set()
    for person, paths in ((DEE, ("/console", "/", "/account", "/sign-in")), (ANN, ("/supervisor",))):
        async with browsing(person, "en-XA") as (house, page):
            for path in paths:
                async for name in opened(house, page, path, VIEWS):
                    found |= {f"{path}, {name}: {text}" for text in await untranslated(page, data)}
    assert found == set()


async def test_every_text_of_a_report_is_translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fixtures.web_server.WorkerPool", partial(WorkerPool, reporter.NAME))
    with played_day(tmp_path, "blackjack-x") as table:
        table.play_rounds(12)
        table.lose("sensors", 20)
        table.void_round("misdeal")
    data, found = {*data_of([STATES["betting"]]), *FROM_JOURNAL}, set()
    async with browsing(ANN, "en-XA", tmp_path / "table.db") as (house, page):
        for path, shown in (("/reports", "a.day"), (f"/reports/{DAY}", ".foot")):
            await page.goto(f"http://127.0.0.1:{house.port}{path}")
            await expect(page.locator(shown).first).to_be_visible()
            found |= {f"{path}: {text}" for text in await untranslated(page, data)}
    assert found == set()


async def test_every_text_of_a_slip_is_translated(tmp_path: Path) -> None:
    found = set()
    with jackpot_hit(tmp_path) as at:
        async with chromium() as browser:
            page = await (await browser.new_context(viewport=SCREENS[0])).new_page()
            for taken in ((), STEPS[:3], STEPS[3:]):
                take_steps(at, *taken)
                end(at) if taken == STEPS[3:] else None
                with speaking(LANGUAGES["en-XA"]):
                    await page.set_content(slip_html(slip_of(tmp_path), UTC))
                names = (*NAMES, *(who for _, who in STEPS), "UTC")
                found |= set(await untranslated(page, names))
    assert found == set()


async def test_longer_texts_and_those_from_right_to_left_stay_within_the_page() -> None:
    wide = set()
    for language in ("en-XA", "ar-XB"):
        async with browsing(DEE, language) as (house, page):
            for path in ("/", "/sign-in", "/account"):
                async for name in opened(house, page, path, VIEWS):
                    if pixels := await too_wide(page):
                        wide.add((language, path, name, pixels))
    assert wide == set()


async def test_seats_stay_where_they_are_at_the_table_from_right_to_left() -> None:
    async with browsing(DEE, "ar-XB") as (house, page):
        async for name in opened(house, page, "/console", RIGHT_TO_LEFT):
            for numbers in (".row .seat h3 > b:not(.total)", ".columns .of kbd"):
                places = await page.locator(numbers).evaluate_all(PLACES)
                assert places == sorted(places), f"{name}: {numbers}"
            assert await page.evaluate(REVERSED) == [], name
            assert await too_wide(page) == 0, name
            name_of_table = await page.locator(".bar .place").bounding_box()
            assert name_of_table
            assert name_of_table["x"] + name_of_table["width"] <= SCREENS[0]["width"] - 10, name


async def test_the_console_fits_every_screen_in_spanish_and_nothing_on_it_is_cut_off() -> None:
    faults = set()
    async with browsing(DEE, "es") as (house, page):
        async for name in opened(house, page, "/console", STATES):
            for screen in (*SCREENS, PHONE):
                await page.set_viewport_size(screen)
                if not await page.evaluate(FITS):
                    faults.add((name, screen["width"], "the page is larger than its screen"))
                cut_off = await page.evaluate(CUT_OFF, WHOLE) + await page.evaluate(CLIPPED, TIGHT)
                faults |= {(name, screen["width"], text) for text in cut_off}
    assert faults == set()
