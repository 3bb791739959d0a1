"""The sign-in page by touch, by keyboard, and by a badge reader, which types."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.address import listen
from controller.monitor.server.server import serve
from tests.fixtures.access_desk import BADGE, PASSWORD, PIN
from tests.fixtures.access_desk import hire_staff as hired
from tests.fixtures.chromium import SHARED, chromium
from tests.fixtures.web_staff import staffed

pytestmark = SHARED


@asynccontextmanager
async def entrance(folder: Path) -> AsyncIterator[Page]:
    """The sign-in page; Ann supervises, Dee deals."""
    with staffed(folder) as staff:
        hired(staff.access)
        listener = listen("127.0.0.1", 0)
        serving = asyncio.create_task(serve(staff.app, ChangeNotifier(), listener))
        async with staff.served(), chromium() as browser:
            page = await browser.new_page(
                viewport={"width": 1024, "height": 600},
                base_url=f"http://127.0.0.1:{listener.getsockname()[1]}",
            )
            await page.goto("/sign-in?next=/api/v1/session")
            try:
                yield page
            finally:
                serving.cancel()
                await asyncio.wait({serving})


async def entered(page: Page, name: str) -> None:
    """The person is signed in and on the expected page."""
    await page.wait_for_url("**/api/v1/session")
    await expect(page.locator("body")).to_contain_text(f'"name":"{name}"')


@pytest.mark.parametrize("how", ["finger", "keyboard", "badge"])
async def test_a_dealer_signs_in_by_finger_keyboard_or_badge(tmp_path: Path, how: str) -> None:
    async with entrance(tmp_path) as page:
        if how == "badge":
            await page.keyboard.type(BADGE)
        else:
            await page.get_by_text("Dee", exact=True).click()
        if how == "finger":
            await typed(page, "pin", PIN)
        if how == "keyboard":
            await page.keyboard.type(PIN)
        await page.keyboard.press("Enter")
        await entered(page, "Dee")


async def test_a_finger_that_stays_selects_no_text_of_a_button(tmp_path: Path) -> None:
    async with entrance(tmp_path) as page:
        for button in ("[data-digit='1']", ".name span"):
            assert (
                await page.locator(button).first.evaluate("one => getComputedStyle(one).userSelect") == "none"
            )


async def test_wrong_pins_are_told_and_nothing_is_left_of_them(tmp_path: Path) -> None:
    async with entrance(tmp_path) as page:
        await page.get_by_text("Dee", exact=True).click()
        for said in ["Name or PIN is not right."] * 4 + ["Too many failures: locked for 5 minutes."]:
            await page.keyboard.type("0009")
            await page.keyboard.press("Enter")
            await expect(page.locator("#said")).to_have_text(said)
            await expect(page.locator("#pin")).to_have_value("")
            await page.evaluate("document.getElementById('said').textContent = ''")


async def test_wrong_pins_stand_beside_the_name_until_the_person_looks_at_the_account(tmp_path: Path) -> None:
    async with entrance(tmp_path) as page:
        await page.goto("/sign-in?next=/account")
        await page.get_by_text("Dee", exact=True).click()
        for pin in ("0009", "0008", "0007"):
            await page.keyboard.type(pin)
            await page.keyboard.press("Enter")
            await expect(page.locator("#said")).to_have_text("Name or PIN is not right.")
            await page.evaluate("document.getElementById('said').textContent = ''")
        await page.keyboard.type(PIN)
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/account")
        await expect(page.locator("#failures")).to_have_text("3 wrong PINs since you were here")
        await page.reload()
        await expect(page.locator("#failures")).to_be_hidden()


async def test_others_sign_in_by_name_and_password(tmp_path: Path) -> None:
    async with entrance(tmp_path) as page:
        await page.get_by_role("button", name="Staff").click()
        await page.keyboard.type("ann")
        await page.keyboard.press("Tab")
        await page.keyboard.type(PASSWORD)
        await page.keyboard.press("Enter")
        await entered(page, "Ann")


async def test_a_dealer_chooses_a_new_pin(tmp_path: Path) -> None:
    """A refused PIN shows its reason and empties the field; then the PIN is changed."""
    async with entrance(tmp_path) as page:
        await page.keyboard.type(BADGE)
        await page.keyboard.press("Enter")
        await entered(page, "Dee")
        await page.goto("/account")
        for old, again, said in (
            (PIN, "9174", "The two entries of the new PIN differ"),
            ("0009", "9173", "the old PIN is not right"),
        ):
            for field, digits in (("old", old), ("new", "9173"), ("again", again)):
                await page.locator(f"#{field}").fill(digits)
            await page.keyboard.press("Enter")
            await expect(page.locator("form .said")).to_contain_text(said)
            for field in ("old", "new", "again"):
                await expect(page.locator(f"#{field}")).to_have_value("")
        for field, digits in (("old", PIN), ("new", "9173"), ("again", "9173")):
            await typed(page, field, digits)
        await page.get_by_role("button", name="Change").click()
        await page.get_by_role("link", name="Sign in again").click()
        await page.wait_for_url("**/sign-in?next=/home")
        await page.get_by_text("Dee", exact=True).click()
        await page.keyboard.type("9173")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/console")


async def typed(page: Page, field: str, digits: str) -> None:
    """Types on the keypad of this field."""
    await page.locator(f"#{field}").focus()
    for digit in digits:
        await page.locator(f"[data-digit='{digit}']").click()


async def test_who_deals_must_be_said(tmp_path: Path) -> None:
    async with entrance(tmp_path) as page:
        await page.keyboard.type(PIN)
        await page.keyboard.press("Enter")
        await expect(page.locator("#said")).to_have_text("Choose your name first.")
