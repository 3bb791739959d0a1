"""A whole round of each game, dealt with the console on the page and found again by a supervisor. The first
one takes as many touches as documented."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from controller.demo.audit import disputes, read_audit
from controller.demo.settings import DemoSettings
from controller.games import GAMES
from controller.journal.history import History
from controller.table.record.codec import read_input
from controller.table.record.events import ConsoleKey, DeviceEvent
from drivers.messages import Key
from tests.fixtures.browser_table import browser_table
from tests.fixtures.chromium import SHARED
from tests.fixtures.touch_counter import TouchCounter
from tests.system.books import faults, unexpected_warnings

pytestmark = SHARED

ROUNDS = 2


@pytest.mark.parametrize("game", [*GAMES])
async def test_a_round_played_on_the_screen_is_recalled_by_a_supervisor(tmp_path: Path, game: str) -> None:
    scene = DemoSettings(game=game, seed=11)
    async with browser_table(tmp_path, scene) as house:
        touches = TouchCounter()
        await touches.watch(await house.sign_in("Dee Ray"))
        async with touches.job(f"Round of {scene.rules.title}"):
            first = await house.play(1)
        crew = await house.play(ROUNDS - 1)
        page = await house.sign_in("Ann Lee")
        await page.get_by_role("link", name="Rounds").click()
        await page.locator("a[href='/rounds/1']").first.click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text("Round 1")
    books = read_audit(house.stage.journal, house.stage.shoe_log)
    assert (books.rounds, list(faults(books)), unexpected_warnings(books)) == (ROUNDS, [], ())
    assert list(disputes(scene, books.ended, [*first.machine.rounds, *crew.machine.rounds])) == []
    kept = [entry.content for entry in History(house.stage.journal).rows()]
    pressed = [read_input(row) for row in kept if row.kind in {"console key", "event"}]
    assert len([key for key in pressed if isinstance(key, ConsoleKey)]) >= 2 * ROUNDS
    assert not [event for event in pressed if isinstance(event, DeviceEvent) and isinstance(event.body, Key)]
