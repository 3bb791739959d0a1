"""Pages that are open while the daemon is upgraded; each test waits for a few beats."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from controller.monitor.live import stream
from tests.controller.monitor.following import beats, follow
from tests.controller.monitor.supervisor.floor import open_floor
from tests.fixtures.chromium import SHARED, chromium
from tests.fixtures.web_server import web_server

pytestmark = SHARED

LATER = "99.1"
MARK = "document.body.dataset.mark"
"""A mark that is lost when the page reloads."""


async def test_open_pages_reload_once_after_a_release(monkeypatch: pytest.MonkeyPatch) -> None:
    async with web_server(beat=0.05) as house, chromium() as browser:
        page = await browser.new_page()
        await follow(page, f"http://127.0.0.1:{house.port}/")
        for release in (stream.RELEASE, LATER):
            monkeypatch.setattr(stream, "RELEASE", release)
            await expect(page.locator("body[data-mark]")).to_have_count(0)
            await beats(page, 1)
            await page.evaluate(f"{MARK} = '{release}'")
            await beats(page, 5)
            assert await page.evaluate(MARK) == release


async def test_open_pages_do_not_reload_while_somebody_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_floor(tmp_path, "1:main=500 close 4h 7s", beat=0.05) as floor:
        page = await floor.come("Ann")
        await page.get_by_role("button", name="Void the round").click()
        why = page.locator("#word [name='why']")
        await why.fill("wrong shoe")
        monkeypatch.setattr(stream, "RELEASE", LATER)
        await beats(page, 5)
        await expect(why).to_have_value("wrong shoe")
        async with page.expect_navigation():
            await page.keyboard.press("Escape")
