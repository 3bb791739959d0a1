"""A technician at the page, in a browser, at a real table in the middle of a deal."""

from pathlib import Path

from playwright.async_api import Page, expect

from controller.table.view.lamps import lamps
from drivers.protocol.codes import LAMPS, Lamp
from tests.controller.monitor.supervisor.floor import PHONE, Floor, open_floor
from tests.fixtures.chromium import SHARED

pytestmark = SHARED

WHO = "Ted"
DEALT = "1:main=500 2:main=500 close 5h 7d"


async def workshop(floor: Floor) -> Page:
    """The technician's page, followed."""
    return await floor.come(WHO, PHONE, "/technician")


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def test_a_table_is_tested_in_the_middle_of_a_deal(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        state, script = floor.house.at.table.state, floor.house.script
        before = lamps(state), floor.house.at.calls_of("console", "prompt")[-1]
        page, supervisor = await workshop(floor), await floor.come("Ann")
        await expect(page.locator(".mode.off")).to_be_visible()
        await page.get_by_label("Reason for the test").fill("seat 3 is dark")
        await press(page, "Enter test mode")
        await expect(page.locator(".mode.on")).to_be_visible()
        await expect(page.get_by_label("Reason for the test")).to_be_hidden()
        await expect(supervisor.locator(".doing b")).to_have_text("Test mode")
        floor.house.at.apply(script.key("stand", 1), script.bet(3, 0, 700), script.take(3))
        await expect(page.locator(".echo li").first).to_have_text("Chips on seat 3, main: none")
        await expect(page.locator(".echo li").nth(2)).to_have_text("Key stand, seat 1")
        await press(page, "Win")
        await expect(page.locator(".shown dd").first).to_have_text("win")
        assert lamps(state) == bytes([Lamp.WIN]) * LAMPS
        lamp = (
            page.locator(".lamp-picture li")
            .filter(has=page.get_by_text("3", exact=True))
            .get_by_role("button")
            .first
        )
        await expect(lamp).to_contain_text("win")
        await lamp.click()
        await expect(lamp).to_contain_text("faulty")
        await expect(lamp).to_have_attribute("aria-pressed", "true")
        await page.get_by_label("What you saw").fill("seat 3 spot 2 dark")
        await press(page, "Record")
        await expect(page.locator(".echo li").first).to_have_text(f"{WHO} saw win: seat 3 spot 2 dark")
        await page.get_by_label("What you did").fill("lamp exchanged")
        await press(page, "Leave test mode")
        await expect(page.locator(".mode.off")).to_be_visible()
        assert (lamps(state), floor.house.at.calls_of("console", "prompt")[-1]) == before
        assert [records for records in floor.house.rows_of("test mode") if "lamp exchanged" in records]
        alert = supervisor.get_by_role("region", name="The table at a glance")
        await expect(alert).to_contain_text("Lamps that are faulty: seat 3, main")


async def test_who_opens_a_device_signs_for_it(tmp_path: Path) -> None:
    async with open_floor(tmp_path) as floor:
        page = await workshop(floor)
        await page.get_by_label("What you open").select_option("sensors")
        await page.get_by_label("Your licence number").fill("L-1234")
        await page.get_by_label("Why you open it").fill("lamp of seat 3")
        await press(page, "Log the access")
        await expect(page.get_by_text("Recorded in the journal under your name.")).to_be_visible()
        await expect(page.get_by_label("Your licence number")).to_have_value("")
        signed = floor.house.rows_of("supervisor")
        assert [
            WHO in entry and '"licence":"L-1234"' in entry and '"sensors"' in entry for entry in signed
        ] == [True]


async def test_what_the_table_refuses_is_said(tmp_path: Path) -> None:
    async with open_floor(tmp_path) as floor:
        page = await workshop(floor)
        await page.get_by_label("Reason for the test").fill("keys")
        await press(page, "Enter test mode")
        await expect(page.locator(".mode.on")).to_be_visible()
        other = await workshop(floor)
        await press(other, "Leave test mode")
        await expect(page.locator(".mode.off")).to_be_visible()
        send = "window.tableside.send('POST', '/api/v1/lamp-test', {pattern: 'win'})"
        refused = await page.evaluate(f"{send}.catch((told) => told.message)")
        assert refused == "lamps are tested in test mode: enter it first"


async def test_a_supervisor_ends_test_mode_in_the_browser(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        assert (await floor.house.post_previewed(WHO, "test-mode", on=True, why="keys")).status_code == 204
        supervisor, auditor = await floor.come("Ann", PHONE), await floor.come("Aud")
        await expect(auditor.get_by_text("Ends when the technician leaves it")).to_be_visible()
        await expect(auditor.get_by_role("button", name="End test mode")).to_have_count(0)
        await press(supervisor, "End test mode")
        await expect(supervisor.locator(".doing b")).not_to_have_text("Test mode")
        assert floor.house.at.table.state.testing is None
        assert '"Ann"' in floor.house.rows_of("test mode")[-1]
