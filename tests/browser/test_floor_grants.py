"""A supervisor at the floor grants what a dealer asked for: real table, uplink, floor and browser."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Page, ViewportSize, expect

from controller.access.desk import AccessDesk
from controller.floor.day_file import JournalName
from controller.floor.keys import prepared_signer
from controller.floor.nats_server import nats_server
from controller.floor.projector import Admission
from controller.floor.register import Decision
from controller.floor.settings import read_floor
from controller.journal.chain import START
from controller.journal.history import History
from controller.property.subjects import PropertySubjects, epoch_of
from controller.socket.core import FloorTrust
from tests.browser.test_looks import looked_at
from tests.controller.floor.floor_process import running
from tests.controller.floor.test_service import decide, prepared, written
from tests.fixtures.access_desk import PASSWORD, add_with_secret
from tests.fixtures.chromium import SHARED, chromium
from tests.fixtures.core_table import FLOOR_KEY, CoreTable, open_core
from tests.fixtures.floor_table import with_uplink
from tests.fixtures.fork_server import start_module
from tests.fixtures.waiting import PATIENCE, come_true

pytestmark = SHARED

DEALT = "1:main=500 close 8h 9c 9d Kc"
TABLET: ViewportSize = {"width": 820, "height": 1180}
PIT = '[pits]\nmain = ["bj-7", "bj-8"]\n[web]\nport = 0\n'
ASKED: dict[str, Any] = {"request": {"about": "void", "why": "a card fell"}}


@dataclass
class Property:
    """A table whose uplink runs, and the floor as its supervisor sees it."""

    core: CoreTable
    page: Page

    async def ask(self) -> None:
        """The dealer asks for a void."""
        async with self.core.client() as client:
            token = self.core.tokens["Dee"]
            preview = await client.preview(token, ASKED)
            asked = {"request": ASKED["request"] | {"token": preview.token}}
            await client.act(token, asked, f"ask-{time.monotonic_ns()}")

    def commands(self) -> list[tuple[str, str, str]]:
        rows = self.core.rows_of("floor command")
        return [(row["command"], row["who"], row["second"]) for row in rows]


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[Property]:
    async with nats_server(folder / "nats") as address:
        config = await prepared(written(folder, address, PIT))
        known = read_floor(config)
        with AccessDesk(Path(known.access.path), time.time, time.monotonic) as desk:
            add_with_secret(desk, "Flo Ray", "supervisor")
        public = prepared_signer(Path(known.key)).public
        (folder / "table").mkdir()
        table = with_uplink(folder / "table", address, public.hex())
        trust = FloorTrust(PropertySubjects("house"), "bj-7", frozenset({public}))
        place = folder / "table" / "journal.sock"
        async with open_core(folder / "table", DEALT, socket_path=place, trust=trust) as core:
            epoch = epoch_of(History(folder / "table" / "journal").at(1).hash)
            admission = Admission(1, START, FLOOR_KEY.public)
            name = JournalName("bj-7", epoch)
            decide(config, Decision("admit", name, admission, "Ann", "Bo", "new", 1.0))
            async with uplink(table), running(config) as floor, chromium() as browser:
                await come_true(lambda: floor.logged("page"))
                url = str(floor.logged("page")[0]["address"])
                context = await browser.new_context(viewport=TABLET, base_url=url)
                yield Property(core, await context.new_page())


@asynccontextmanager
async def uplink(config: Path) -> AsyncIterator[None]:
    with config.with_name("uplink.log").open("wb") as log:
        process = await start_module(("controller", "uplink", "--config", str(config)), log)
    try:
        yield
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), PATIENCE)


async def sign_in(page: Page, path: str) -> None:
    await page.goto(f"/sign-in?next={path}")
    await page.locator("#name").fill("Flo Ray")
    await page.locator("#password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url(lambda url: urlsplit(url).path == path)


async def test_a_supervisor_at_the_floor_grants_a_void(tmp_path: Path) -> None:
    async with house(tmp_path) as at:
        page = at.page
        await sign_in(page, "/floor")
        await expect(page.locator("#tile-bj-7")).to_contain_text("EZ Bust Blackjack")
        await at.ask()
        await expect(page.locator("#tile-bj-7 .why")).to_have_text("Dee asks: a card fell")
        await page.locator("#tile-bj-7 a").click()
        await page.wait_for_url("**/floor/tables/bj-7", wait_until="load")
        await page.get_by_role("button", name="Grant: Void the round").click()
        form = page.locator("#word")
        await expect(form.locator(".preview li").first).to_be_visible()
        await form.get_by_role("button", name="Seen on camera").click()
        await form.locator("input[name=confirm]").fill("not my password")
        await page.keyboard.press("Enter")
        await expect(form.locator("#confirm-said")).to_contain_text("this is not Flo Ray's password")
        assert await looked_at(page) == []
        assert at.commands() == []
        await form.locator("input[name=confirm]").fill(PASSWORD)
        await page.keyboard.press("Enter")
        await expect(form).to_be_hidden()
        await expect(page.locator(".sent li")).to_contain_text("Done: the table has it in its journal in row")
        await expect(page.locator(".sent li")).to_contain_text("Flo Ray and Dee")
        await expect(page.get_by_role("button", name="Grant: Void the round")).to_have_count(0)
        assert at.commands() == [("grant", "Flo Ray", "Dee")]
        assert at.core.at.table.state.round.phase == "betting"


async def test_a_supervisor_sends_a_message_and_acknowledges_it_with_the_keyboard_alone(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as at:
        page = at.page
        await sign_in(page, "/floor/tables/bj-7")
        await expect(page.get_by_text("Playing EZ Bust Blackjack")).to_be_visible()
        await page.get_by_role("button", name="Send a message").focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("#word input[name=why]")).to_be_focused()
        await page.keyboard.type("call the pit")
        await page.keyboard.press("Enter")
        await expect(page.locator(".alerts")).to_contain_text("of the table")
        await expect(page.locator("#news")).to_have_text("Done")
        await page.get_by_role("button", name="Acknowledge: ").first.focus()
        await page.keyboard.press("Enter")
        await page.locator("#word input[name=why]").fill("heard")
        await page.keyboard.press("Enter")
        await expect(page.locator("#word")).to_be_hidden()
        await come_true(lambda: not at.core.at.table.state.shift.alarms.open)
        assert at.commands() == [("message", "Flo Ray", ""), ("acknowledge", "Flo Ray", "")]
