"""The floor in a browser: 12, 200 and 1,000 tables, made of statuses as tables send them."""

import time
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from controller.calendar import Calendar
from controller.floor.approvals.standing import ACTS, Standing
from controller.floor.past.settings import PastSettings
from controller.floor.tables.alerts import FloorCause
from tests.browser.test_looks import WIDER, looked_at
from tests.controller.floor.test_service import until
from tests.fixtures.chromium import SHARED
from tests.fixtures.floor_pages import FloorHouse, alert, floor_house, grand
from tests.fixtures.level_ledger import read_log
from tests.fixtures.random_nights import kept
from tests.fixtures.stored_floor import DAY, TABLE, StoredFloor

pytestmark = SHARED

SIZES = {"desk": (1280, 800), "wall": (1920, 1080), "tablet": (820, 1180), "phone": (390, 844)}
DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
"""Waits until the page has followed a new size of the screen."""
FULL = "The stream JOURNAL is 82 % full"
CHECKED = {12: {"desk", "phone"}, 200: {"desk"}}
"""Numbers of tables, and the sizes at which the accessibility checker runs, which takes seconds for 200."""
HELD_UP = {"suspended": ["The shoe does not answer"], "devices": {"shoe": "waiting"}}


async def opened(house: FloorHouse, name: str = "Ann Lee", path: str = "/floor") -> Page:
    """The floor's page in the browser of a person who has signed in."""
    page = await house.page(*SIZES["desk"])
    await house.sign_in(page, name, path)
    return page


def critical(number: int = 77) -> dict[str, object]:
    return HELD_UP | {"alerts": [alert(number, "missing", "critical", time.time())]}


@pytest.mark.timeout(300)  # on a busy machine with two cores
@pytest.mark.parametrize("count", CHECKED)
async def test_every_page_of_the_floor_is_accessible_and_fits_each_screen(tmp_path: Path, count: int) -> None:
    found = []
    async with floor_house(tmp_path, count) as house:
        page = await opened(house)
        house.picture.report(FloorCause("full", which="JOURNAL"), FULL, time.time())
        for path in ("/floor", "/floor?order=layout", "/floor?wall=1", "/floor/tables/bj-002", "/account"):
            await page.goto(path)
            await expect(page.locator(".tile, .face, .account").first).to_be_visible()
            for size, (width, height) in SIZES.items():
                await page.set_viewport_size({"width": width, "height": height})
                await page.evaluate(DRAWN)
                if await page.evaluate(WIDER) > 0:
                    found.append(f"{path} {size}: wider than the screen")
                if size in CHECKED[count]:
                    colours = size == "desk" and count == 12
                    found += [f"{path} {size}: {fault}" for fault in await looked_at(page, colours=colours)]
        await page.goto("/floor")
        await page.get_by_role("button", name="Keys and colours").click()
        found += [f"the legend: {fault}" for fault in await looked_at(page, colours=count == 12)]
    assert found == []


GROUND = "getComputedStyle(document.body).backgroundColor"
DARK, LIGHT, BLACK, PAPER = "rgb(11, 16, 14)", "rgb(238, 242, 239)", "rgb(0, 0, 0)", "rgb(255, 255, 255)"


async def test_people_choose_their_colours_and_the_browser_keeps_them(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 1) as house:
        page = await opened(house, path="/account")
        for label, floor, notices in (
            ("Light", LIGHT, LIGHT),
            ("High contrast", BLACK, BLACK),
            ("Dark", DARK, DARK),
            ("Automatic", DARK, LIGHT),
        ):
            await page.goto("/account")
            await page.get_by_role("radio", name=label).check()
            await page.goto("/floor")
            assert await page.evaluate(GROUND) == floor, label
            await page.goto("/floor/notices")
            assert await page.evaluate(GROUND) == notices, label
            await page.emulate_media(media="print")
            assert await page.evaluate(GROUND) == PAPER, label
            await page.emulate_media(media="screen")


async def test_the_browser_says_which_colours_pages_have_until_a_person_chooses(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 1) as house:
        page = await opened(house, path="/floor/notices")
        await page.emulate_media(color_scheme="dark")
        assert await page.evaluate(GROUND) == DARK
        await page.emulate_media(contrast="more")
        await expect(page.locator("html[data-theme='contrast']")).to_have_count(1)
        assert await page.evaluate(GROUND) == BLACK


def stored(folder: Path) -> PastSettings:
    """The rounds of two random nights of one table."""
    floor = StoredFloor(folder / "stored")
    floor.take_all(kept(folder / "table.db", 2, (9,)))
    floor.close()
    read_log(folder / "stored", "grand", extra=30)
    return PastSettings(folder / "stored", {"main": ("bj-1",)}, Calendar())


async def test_rounds_and_reports_of_all_tables_are_accessible_and_fit_each_screen(tmp_path: Path) -> None:
    round_ = f"/floor/tables/{TABLE.table}/journals/{TABLE.epoch}/rounds/3"
    day = "/floor/reports/2023-11-14"
    rounds = "/floor/rounds", "/floor/rounds?table=bj-1", round_, f"{round_}/replay"
    paths = *rounds, "/floor/reports", day, "/floor/levels/grand"
    found = []
    async with floor_house(tmp_path, 4, past=stored(tmp_path)) as house:
        page = await opened(house)
        for path in paths:
            await page.goto(path)
            for size, (width, height) in SIZES.items():
                await page.set_viewport_size({"width": width, "height": height})
                await page.evaluate(DRAWN)
                if await page.evaluate(WIDER) > 0:
                    found.append(f"{path} {size}: wider than the screen")
            found += [f"{path}: {fault}" for fault in await looked_at(page)]
    assert found == []


async def test_a_supervisor_enters_a_notice_and_sees_it(tmp_path: Path) -> None:
    found, begins = [], Calendar().format_time(time.time() + 4 * DAY, "%Y-%m-%dT%H:%M")
    async with floor_house(tmp_path, 4) as house:
        page = await opened(house, path="/floor/notices")
        await page.get_by_role("button", name="Enter a notice").click()
        form = page.locator("#word")
        await form.get_by_label("Table").select_option("bj-002")
        await form.get_by_label("Persons who do it").fill("Cy Tech")
        await form.get_by_label("Begin (UTC)").fill("2026-01-01T09:00")
        await form.get_by_role("button", name="Repair").click()
        found += [f"the form: {fault}" for fault in await looked_at(page)]
        await form.get_by_role("button", name="Enter", exact=True).click()
        await expect(form.locator(".said").first).to_contain_text("begins = '2026-01-01T09:00': too soon")
        await form.get_by_label("Begin (UTC)").fill(begins)
        await form.get_by_role("button", name="Enter", exact=True).click()
        await expect(page.locator("tbody tr")).to_contain_text("Cy Tech")
        await expect(page.locator("tbody th")).to_have_text("bj-002")
        for size, (width, height) in SIZES.items():
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(DRAWN)
            if await page.evaluate(WIDER) > 0:
                found.append(f"{size}: wider than the screen")
        found += await looked_at(page)
    assert found == []


async def test_the_line_of_a_round_leads_to_its_table_and_to_the_round(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 4, past=stored(tmp_path)) as house:
        page = await opened(house, path="/floor/rounds")
        line = page.locator(".rounds tbody tr:not(.day)").first
        await line.locator(".lay").click(force=True)  # the link of the round covers the line
        await expect(page.get_by_role("heading", level=1)).to_contain_text(f"{TABLE.table}, round")
        await page.go_back()
        await line.get_by_role("link", name=TABLE.table).click()
        await page.wait_for_url(f"**/floor/tables/{TABLE.table}")


async def test_a_table_that_begins_to_need_somebody_comes_first_and_is_counted_and_read_out(
    tmp_path: Path,
) -> None:
    async with floor_house(tmp_path, 12) as house:
        page = await opened(house)
        await expect(page).to_have_title("✕ (3) Grand Casino · Floor · Tableside")
        await page.get_by_role("button", name="Sound: off").click()
        await expect(page.locator("#sound")).to_have_attribute("data-played", "look")
        house.say("bj-007", 6, **critical())
        await expect(page).to_have_title("✕ (4) Grand Casino · Floor · Tableside")
        await expect(page.locator("#news")).to_have_text("bj-007: Needs you. The shoe does not answer")
        await expect(page.locator("#sound")).to_have_attribute("data-played", "now")
        await expect(page.locator(".tile").nth(1)).to_have_attribute("data-table", "bj-007")
        house.say("bj-007", 6)
        await expect(page).to_have_title("✕ (3) Grand Casino · Floor · Tableside")
        await expect(page.locator("#tile-bj-007")).to_have_class("tile well")


async def test_only_tiles_that_differ_are_sent(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 200) as house:
        page = await opened(house)
        await expect(page.locator(".tile")).to_have_count(200)
        await page.evaluate("for (const one of document.querySelectorAll('.tile')) one.dataset.mine = '1'")
        house.say("bj-100", 99, round=4711)
        await expect(page.locator("#tile-bj-100 dd").first).to_have_text("4711")
        await expect(page.locator(".tile:not([data-mine])")).to_have_count(1)


async def test_the_floor_is_used_with_the_keyboard_alone(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12) as house:
        page = await opened(house)
        await expect(page.locator(".tile")).to_have_count(12)
        for key, table in (
            ("ArrowRight", "bj-001"),
            ("ArrowRight", "bj-003"),
            ("ArrowDown", "bj-006"),
            ("ArrowLeft", "bj-004"),
            ("ArrowUp", "bj-001"),
            ("n", "bj-003"),
        ):
            await page.keyboard.press(key)
            await expect(page.locator(f"#tile-{table} .name")).to_be_focused()
        house.say("bj-003", 2, round=900, **critical())
        await expect(page.locator("#tile-bj-003 dd").first).to_have_text("900")
        await expect(page.locator("#tile-bj-003 .name")).to_be_focused()
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/floor/tables/bj-003")
        await expect(page.get_by_role("heading", name="bj-003")).to_be_visible()
        await page.keyboard.press("Escape")
        await page.wait_for_url("**/floor")
        await page.keyboard.press("a")
        await page.wait_for_url("**/floor?order=need&attention=1")
        await expect(page.locator(".tile")).to_have_count(4)
        await page.keyboard.press("o")
        await page.wait_for_url("**/floor?order=layout&attention=1")
        await page.keyboard.press("/")
        await page.keyboard.type("005")
        await expect(page.locator(".tile:visible")).to_have_count(1)
        await page.keyboard.press("Escape")
        await page.keyboard.press("?")
        await expect(page.locator("#legend")).to_be_visible()


async def test_a_page_goes_on_after_the_floor_has_started_anew(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12) as house:
        page = await opened(house)
        await expect(page.locator(".tile")).to_have_count(12)
        await house.stop()
        await expect(page.locator("#lost")).to_be_visible()
        await expect(page).to_have_title("? Grand Casino · Floor · Tableside")
        house.count = 9
        house.reset()
        house.say("bj-009", 8, round=4711)
        await house.start()
        await expect(page.locator("#lost")).to_be_hidden()
        await expect(page.locator(".tile")).to_have_count(9)
        await expect(page.locator("#tile-bj-009 dd").first).to_have_text("4711")
        await expect(page).to_have_title("✕ (3) Grand Casino · Floor · Tableside")


async def test_an_alert_about_the_floor_itself_is_counted_sounded_and_acknowledged(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12) as house:
        page = await opened(house)
        await page.get_by_role("button", name="Sound: off").click()
        house.picture.report(FloorCause("leader", which="grand"), "No instance announces grand", time.time())
        await expect(page).to_have_title("✕ (4) Grand Casino · Floor · Tableside")
        await expect(page.locator("#news")).to_have_text("The floor: No instance announces grand")
        await expect(page.locator("#sound")).to_have_attribute("data-played", "now")
        await page.get_by_role("button", name="Acknowledge: No instance announces grand").click()
        await page.locator("#word input[name=why]").fill("both hosts start again")
        await page.keyboard.press("Enter")
        await expect(page.locator("#word")).to_be_hidden()
        await expect(page.locator(".house li")).to_contain_text("acknowledged by Ann Lee")
        await expect(page).to_have_title("✕ (3) Grand Casino · Floor · Tableside")


async def test_the_pages_of_an_instance_that_follows_say_which_one_acts_until_it_acts_itself(
    tmp_path: Path,
) -> None:
    found = []
    async with floor_house(tmp_path, 12) as house:
        page = await opened(house)
        said = page.locator(".instance")
        await expect(page.locator(".tile")).to_have_count(12)
        await expect(said).to_have_count(0)
        house.acts.standing = Standing(acts=False, host="pit-a", page="https://pit-a.example:8443/")
        await expect(said).to_contain_text("This instance of the floor follows. The one on pit-a acts.")
        await expect(said.get_by_role("link")).to_have_attribute("href", "https://pit-a.example:8443/floor")
        house.say("bj-007", 6, round=4711)
        await expect(page.locator("#tile-bj-007 dd").first).to_have_text("4711")
        for path in ("/floor", "/floor?wall=1", "/floor/tables/bj-002"):
            await page.goto(path)
            await expect(said).to_be_visible()
            for size in CHECKED[12]:
                width, height = SIZES[size]
                await page.set_viewport_size({"width": width, "height": height})
                await page.evaluate(DRAWN)
                if await page.evaluate(WIDER) > 0:
                    found.append(f"{path} {size}: wider than the screen")
                found += [f"{path} {size}: {fault}" for fault in await looked_at(page)]
        await expect(page.get_by_role("button", name="Send a message")).to_have_count(0)
        house.acts.standing = ACTS
        await expect(page.get_by_role("button", name="Send a message")).to_be_visible()
        await expect(said).to_have_count(0)
    assert found == []


async def test_the_jackpots_show_amounts_and_which_table_must_act(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12) as house:
        page = await opened(house)
        strip = page.locator(".strip")
        await expect(strip).to_contain_text("482,133.50")
        await expect(strip).to_contain_text("bj-003 must act: 123,456")
        house.picture.jackpots.take(grand(2, 48_300_000, claims=(), state="pending"), time.time())
        await expect(strip).to_contain_text("483,000")
        await expect(strip).to_contain_text("claim pending")


async def test_letters_can_be_switched_off_and_stay_off(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12) as house:
        page = await opened(house)
        await page.keyboard.press("?")
        await page.get_by_label("Keys with a letter work").uncheck()
        await page.keyboard.press("Escape")
        await page.reload()
        await expect(page.locator(".tile")).to_have_count(12)
        for key in ("a", "o", "w", "?"):
            await page.keyboard.press(key)
        await expect(page.locator("#legend")).to_be_hidden()
        await page.keyboard.press("ArrowRight")
        await expect(page.locator(".tile .name").first).to_be_focused()
        assert page.url.endswith("/floor")


@pytest.mark.parametrize("count", [12, 200])
async def test_the_view_for_a_wall_fits_all_tables_on_the_screen(tmp_path: Path, count: int) -> None:
    async with floor_house(tmp_path, count, public=True) as house:
        page = await house.page(*SIZES["wall"])
        await page.goto("/floor?pit=main")
        await page.keyboard.press("w")
        await page.wait_for_url("**/floor?order=need&pit=main&wall=1")
        await page.goto("/floor?wall=1")
        await expect(page.locator(".tile")).to_have_count(count)
        await expect(page.locator("nav")).to_have_count(0)
        await until(lambda: page.evaluate("document.documentElement.scrollHeight <= innerHeight"))
        await page.get_by_role("link", name="Leave the wall view").click()
        await page.wait_for_url("**/floor?order=need")


async def test_a_silent_table_is_grey_and_says_since_when(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12, repeating=False) as house:
        page = await opened(house)
        await expect(page.locator("#tile-bj-012")).to_contain_text("No status yet")
        spoke = house.picture.tiles["bj-006"]
        house.picture.tick(time.time() + 8)
        await expect(page.locator("#tile-bj-006")).to_have_class("tile look old new")
        since = house.picture.tiles["bj-006"].stale_since
        assert spoke.stale_since is None
        assert since is not None
        clock = time.strftime("%H:%M:%S", time.localtime(since))
        await expect(page.locator("#tile-bj-006")).to_contain_text(f"No status since {clock}")


async def test_a_choice_is_kept_as_a_bookmark_and_on_the_way_back(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12) as house:
        page = await opened(house)
        await page.locator("select[name='pit']").select_option("terrace")
        await page.wait_for_url("**/floor?order=need&pit=terrace")
        await expect(page.locator(".tile")).to_have_count(3)
        await page.locator("select[name='game']").select_option("Easy Jack")
        await expect(page.locator(".tile")).to_have_count(1)
        await page.locator(".tile a").click()
        await page.wait_for_url("**/floor/tables/*")
        await page.get_by_role("link", name="All tables").click()
        await page.wait_for_url("**/floor?order=need&pit=terrace&game=Easy+Jack")
        await page.locator("select[name='condition']").select_option("down")
        await expect(page.locator("#waiting")).to_contain_text("No table is like that")


async def test_the_page_of_a_table_follows_it(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12) as house:
        page = await opened(house, path="/floor/tables/bj-006")
        await expect(page.locator(".face .call")).to_have_text("All well")
        house.say("bj-006", 5, **critical())
        await expect(page.locator(".face .call")).to_have_text("Needs you")
        await expect(page.locator(".alerts")).to_contain_text("Alert 77 of the table")
        await expect(page.locator(".figures")).to_contain_text("shoe")


async def test_an_alert_of_the_floor_is_acknowledged_with_a_reason_that_outlives_a_restart(
    tmp_path: Path,
) -> None:
    async with floor_house(tmp_path, 12) as house:
        cause = FloorCause("refused", "bj-006")
        house.picture.report(cause, "A message was not signed with its key", time.time())
        page = await opened(house, path="/floor/tables/bj-006")
        await expect(page.locator(".face .call")).to_have_text("Needs you")
        await page.get_by_role("button", name="Acknowledge: A message was not signed").click()
        assert await looked_at(page) == []
        await page.locator("#word input[name=why]").fill("a technician replaced the key")
        await page.keyboard.press("Enter")
        await expect(page.locator("#word")).to_be_hidden()
        await expect(page.locator(".face .call")).to_have_text("All well")
        await expect(page.locator(".trail")).to_contain_text("Ann Lee, supervisor")
        await house.stop()
        house.reset()
        await house.start()
        await page.reload()
        await expect(page.locator(".trail")).to_contain_text("a technician replaced the key")


async def test_a_screen_at_the_wall_shows_the_tiles_without_signing_in_and_no_more(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12, public=True) as house:
        page = await house.page(*SIZES["wall"])
        await page.goto("/")
        await expect(page.locator(".tile")).to_have_count(12)
        await page.locator(".tile a").first.click()
        await page.wait_for_url("**/sign-in?next=/floor/tables/bj-001")


async def test_a_dealer_does_not_sign_in_at_the_floor(tmp_path: Path) -> None:
    async with floor_house(tmp_path, 12) as house:
        page = await house.page(*SIZES["tablet"])
        await page.goto("/floor")
        await page.wait_for_url("**/sign-in?next=/floor")
        await expect(page.locator("#name")).to_be_focused()
        await expect(page.locator("#dealer")).to_have_count(0)
        await page.locator("#name").fill("Dee Ray")
        await page.locator("#password").fill("2580")
        await page.keyboard.press("Enter")
        await expect(page.locator("#said")).to_have_text("Name or password is not right.")


@pytest.mark.timeout(300)  # on a busy machine with two cores
async def test_a_thousand_tables_are_shown_found_and_followed_after_a_restart(tmp_path: Path) -> None:
    """How long it takes until the first paint and until all tiles are there is printed, not asserted."""
    async with floor_house(tmp_path, 1000) as house:
        page = await opened(house)
        await page.reload()
        await expect(page.locator(".tile")).to_have_count(1000)
        shown = await page.evaluate("performance.now()")
        paints = await page.evaluate("performance.getEntriesByType('paint').map((one) => one.startTime)")
        print(f"first paint {min(paints, default=0):.0f} ms, all tiles within {shown:.0f} ms")
        house.say("bj-1000", 999, **critical())
        await expect(page.locator(".tile").nth(1)).to_have_attribute("data-table", "bj-1000")
        assert await page.evaluate(WIDER) <= 0
        for key, table in (("ArrowRight", "bj-001"), ("n", "bj-1000"), ("ArrowRight", "bj-003")):
            await page.keyboard.press(key)
            await expect(page.locator(f"#tile-{table} .name")).to_be_focused()
        await page.keyboard.press("/")
        await page.keyboard.type("777")
        await expect(page.locator(".tile:visible")).to_have_count(1)
        await page.set_viewport_size({"width": SIZES["phone"][0], "height": SIZES["phone"][1]})
        await page.evaluate(DRAWN)
        assert await page.evaluate(WIDER) <= 0
        await house.stop()
        await expect(page.locator("#lost")).to_be_visible()
        house.say("bj-777", 776, round=4711)
        await house.start()
        await expect(page.locator("#lost")).to_be_hidden()
        await expect(page.locator("#tile-bj-777 dd").first).to_have_text("4711")
        await expect(page.locator(".tile")).to_have_count(1000)
