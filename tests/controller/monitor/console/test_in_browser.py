"""A dealer at the page of a real table, by touch and by keyboard."""

from pathlib import Path

from playwright.async_api import Page, expect

from controller.table.record.rules import Progressive
from tests.controller.monitor.supervisor.floor import Floor, open_floor
from tests.fixtures.chromium import SHARED

pytestmark = SHARED

WAGERS = "1:main=500 3:main=1000"
QUIETER = 50
"""Milliseconds after which a key press no longer belongs to a badge reader."""
RECORD_MOTION = """() => {
    const moved = Object.assign(document.createElement("p"), {id: "moved"});
    document.body.append(moved);
    Element.prototype.animate = function () { moved.textContent += this.ariaLabel; };
}"""
DEALT = f"{WAGERS} close 4h 7s 3d"


async def come(floor: Floor) -> Page:
    """Dee opens the console; returns when its panels follow the table. Time stands still on the page."""
    page = await floor.come("Dee", path="/console", still=True)
    await page.clock.run_for(QUIETER)  # the page takes its first character for a key
    return page


async def due(page: Page, text: str) -> None:
    await expect(page.locator("#due")).to_have_text(text)


async def tap(page: Page, key: str) -> None:
    await page.locator(f"#key-{key}").click()


def pressed(floor: Floor) -> int:
    """The number of screen keys in the journal."""
    return len(floor.house.rows_of("console key"))


async def test_a_round_is_tapped_from_the_bets_to_the_last_payment(tmp_path: Path) -> None:
    async with open_floor(tmp_path, WAGERS) as floor:
        page = await come(floor)
        await due(page, "Place your bets: 2 wagers")
        await tap(page, "close")
        await due(page, "Deal 3 cards")
        await expect(page.locator("#pad button")).to_have_count(0)
        floor.house.play("4h 7s 3d")
        await due(page, "Seat 1 has hard 4")
        await tap(page, "hit")
        await due(page, "Seat 1 has 4 and hits: draw a card")
        floor.house.play("5c")
        await due(page, "Seat 1 has hard 9")
        await tap(page, "stand")
        await due(page, "Seat 3 has hard 7")
        await tap(page, "stand")
        await due(page, "Dealer has 3: draw")
        floor.house.play("2s 9d")
        await expect(page.locator("#guidance h2 b")).to_have_text("1")
        await expect(page.locator("#guidance .verb")).to_have_text("pay")
        await expect(page.locator("#guidance .chips b")).to_have_text("5")
        await tap(page, "pay-1")
        await expect(page.locator("#guidance h2 b")).to_have_text("3")
        await tap(page, "pay")
        await expect(page.locator("#guidance")).to_have_count(0)
        await due(page, "Place your bets: 2 wagers")
        assert floor.house.view().round == 2
        assert all('"Dee"' in key for key in floor.house.rows_of("console key"))


async def test_a_card_that_comes_lands_once_and_not_for_people_who_want_less_motion(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await come(floor)
        await page.evaluate(RECORD_MOTION)
        await tap(page, "hit")
        await due(page, "Seat 1 has 4 and hits: draw a card")
        floor.house.play("2c")
        await due(page, "Seat 1 has hard 6")
        await expect(page.locator("#moved")).to_have_text("two of clubs")
        await page.emulate_media(reduced_motion="reduce")
        await tap(page, "hit")
        await due(page, "Seat 1 has 6 and hits: draw a card")
        floor.house.play("2d")
        await due(page, "Seat 1 has hard 8")
        await expect(page.locator("#moved")).to_have_text("two of clubs")


async def test_two_taps_in_quick_order_press_once(tmp_path: Path) -> None:
    """The second one would count for the next seat."""
    async with open_floor(tmp_path, DEALT) as floor:
        page = await come(floor)
        await page.locator("#key-stand").dblclick()
        await due(page, "Seat 3 has hard 7")
        assert pressed(floor) == 1


async def test_keys_keep_their_places_from_seat_to_seat(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await come(floor)
        before = await page.locator("#key-stand").bounding_box()
        await tap(page, "stand")
        await due(page, "Seat 3 has hard 7")
        assert await page.locator("#key-stand").bounding_box() == before
        assert before is not None
        assert min(before["width"], before["height"]) >= 72


async def test_the_keyboard_presses_what_is_lit_and_nothing_else(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await come(floor)
        await page.keyboard.press("d")
        await page.clock.run_for(QUIETER)
        await page.keyboard.press("s")
        await page.clock.run_for(QUIETER)
        await due(page, "Seat 3 has hard 7")
        assert pressed(floor) == 1


async def test_a_badge_that_is_read_presses_nothing(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await come(floor)
        await page.evaluate(
            """for (const key of "h0stand9") document.body.dispatchEvent(
                 new KeyboardEvent("keydown", {key, bubbles: true}))"""
        )
        await page.clock.run_for(QUIETER)
        await page.keyboard.press("s")
        await page.clock.run_for(QUIETER)
        await due(page, "Seat 3 has hard 7")
        assert pressed(floor) == 1


async def test_a_double_for_less_is_told_on_the_pad(tmp_path: Path) -> None:
    async with open_floor(tmp_path, "1:main=1000 close 5h 9s 6h 5h", game="ez-bust") as floor:
        page = await come(floor)
        await page.locator("[data-more=double]").click()
        digit = page.locator("#amount .digits")
        for each in "12":
            await digit.get_by_role("button", name=each, exact=True).click()
        await page.locator("#amount [data-confirm]").click()
        await expect(page.locator("#amount .wrong")).to_have_text("At most 10")
        await digit.get_by_role("button", name="Delete the last digit").click()
        await digit.get_by_role("button", name="Delete the last digit").click()
        await digit.get_by_role("button", name="6", exact=True).click()
        await page.locator("#amount [data-confirm]").click()
        await due(page, "Seat 1 has 11 and doubles: draw a card")
        assert floor.house.view().seats[0].hands[0].bet == 1600


async def test_a_refused_key_says_why_until_the_next_one(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await come(floor)
        await page.locator("#pad [data-round]").evaluate("pad => pad.dataset.round = 7")
        await tap(page, "stand")
        await expect(page.locator("#refusal")).to_contain_text("round")
        await page.locator("#pad [data-round]").evaluate("pad => pad.dataset.round = 1")
        await tap(page, "stand")
        await expect(page.locator("#refusal")).to_be_hidden()


async def test_an_undo_is_asked_for_and_what_came_of_it_is_told(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await come(floor)
        await expect(page.locator("#undo")).to_have_count(0)  # a card has come since the last key
        await tap(page, "stand")
        await due(page, "Seat 3 has hard 7")
        await page.locator("#undo").click()
        await expect(page.locator("#claim")).to_contain_text("is taken back")
        await page.get_by_role("button", name="Ask the supervisor").click()
        await expect(page.locator(".news")).to_contain_text("Undo")
        await expect(page.locator("#undo")).to_have_count(0)
        number = floor.house.view().requests[0].number
        await floor.house.post_previewed("Ann", f"requests/{number}/answer", grant=True, why="seen")
        await due(page, "Seat 1 has hard 4")
        await expect(page.locator(".news")).to_contain_text("granted by Ann")


async def test_a_claim_is_confirmed_with_the_dealers_name(tmp_path: Path) -> None:
    tokens = "1:main=1000 1:blazing-7s=100 close 7h 7h 7h Kd"
    fed = {"blazing-7s": Progressive(2_000_000, "12.5%", "2.5%")}
    async with open_floor(tmp_path, tokens, "blackjack-x", jackpots=fed) as floor:
        page = await come(floor)
        await page.locator("[data-claim]").click()
        await expect(page.locator("#claim")).to_contain_text("seven of hearts")
        await page.locator("#claim [data-confirm]").click()
        await expect(page.locator("[data-claim]")).to_have_count(0)
        assert floor.house.view().claims[0].dealer == "Dee"


async def test_a_key_keeps_the_focus_for_the_next_seat_and_held_down_presses_once(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await come(floor)
        await page.locator("#key-stand").focus()
        await page.keyboard.down("Enter")
        await due(page, "Seat 3 has hard 7")
        await expect(page.locator("#key-stand")).to_be_focused()
        await page.keyboard.down("Enter")  # it is still held down
        await page.clock.run_for(QUIETER)
        await tap(page, "hit")
        await due(page, "Seat 3 has 7 and hits: draw a card")
        assert pressed(floor) == 2
