"""A supervisor at the page, in a browser, at a real table."""

from pathlib import Path

from playwright.async_api import Page, expect

from controller.table.record.rules import Progressive
from drivers.messages import CardUnpermitted
from tests.controller.monitor.supervisor.floor import PHONE, Floor, open_floor
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.chromium import SHARED

pytestmark = SHARED

DEALT = "1:main=500 2:main=500 close 5h 7d Kc"


async def fill(page: Page, why: str = "Seen on the table") -> None:
    """Types the reason and submits the form."""
    await page.get_by_label("Reason").fill(why)
    await page.locator("#word [type=submit]").click()


async def sign(page: Page, why: str = "Seen on the table", secret: str = PASSWORD) -> None:
    """Types the reason and the password again, and submits the form: the act takes two persons."""
    await page.get_by_label("Reason").fill(why)
    await grant(page, secret)


async def grant(page: Page, secret: str = PASSWORD) -> None:
    """Types the password again and submits the form: the request has stated the reason."""
    await page.get_by_label("type your password again").fill(secret)
    await page.locator("#word [type=submit]").click()


def stray(floor: Floor, card: str = "9d") -> None:
    """A card leaves the shoe although none is due."""
    script = floor.house.script
    script.cards += 1
    floor.house.at.apply(script.event("shoe", CardUnpermitted(script.cards, card)))


async def closed(page: Page) -> None:
    await expect(page.locator("#word")).to_be_hidden()


async def test_a_stray_card_is_burned_and_alerts_acknowledged_while_an_auditor_watches(
    tmp_path: Path,
) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page, auditor = await floor.come("Ann", PHONE), await floor.come("Aud")
        stray(floor)
        await expect(page.locator(".call")).to_have_text("Needs you")
        await expect(page).to_have_title("✕ Table 7 (1): Card 4 left the shoe although it was locked")
        await expect(page.locator("#news")).to_contain_text("Alert: Card 4 left the shoe")
        await expect(auditor.locator(".call")).to_have_text("Needs you")
        await expect(auditor.locator("main button")).to_have_count(0)
        await page.get_by_role("button", name="Burn it").click()
        await page.get_by_role("button", name="Pulled by mistake").click()
        await page.locator("#word [type=submit]").click()
        await closed(page)
        await expect(page.locator(".doing b")).to_have_text("Playing seat 1")
        await page.get_by_role("button", name="Acknowledge").click()
        await expect(page.get_by_role("button", name="Acknowledge")).to_have_count(0)
        await page.get_by_text("Last acknowledged: 1").click()
        await expect(page.locator("#acknowledged li")).to_be_visible()
        await expect(page.locator(".call")).to_have_text("All well")
        decided = floor.house.rows_of("supervisor")[-1]
        assert '"Ann"' in decided
        assert "Pulled by mistake" in decided


async def test_void_shows_first_what_follows(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await floor.come("Ann")
        await page.get_by_role("button", name="Void the round").click()
        await fill(page, "cards exposed")
        await expect(page.locator(".preview")).to_contain_text("Every wager of round 1 is given back")
        assert floor.house.view().round == 1
        await page.locator("#word").get_by_role("button", name="Void the round").click()
        await closed(page)
        await expect(page.locator(".doing")).to_contain_text("Round 2")
        assert floor.house.view().rounds[0].outcome == "void"


async def test_a_misread_card_is_put_right(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await floor.come("Ann", PHONE)
        await page.get_by_role("button", name="Misread card").click()
        await page.get_by_text("Seat 1, card 1: five of hearts").locator("..").click()
        await page.get_by_role("radio", name="six of hearts").check(force=True)
        await fill(page)
        await expect(page.locator(".preview")).to_contain_text("Card 6h of seat 1 was read as 5h")
        await page.get_by_role("radio", name="four of hearts").check(force=True)
        await expect(page.locator(".preview")).to_be_hidden()
        await page.get_by_role("button", name="Preview").click()
        await page.get_by_role("button", name="Correct the card").click()
        await closed(page)
        assert floor.house.view().seats[0].hands[0].cards == ("4h",)


async def test_a_form_stays_while_the_table_goes_on_and_what_came_too_late_is_told(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await floor.come("Ann")
        await page.get_by_role("button", name="Misread card").click()
        await page.get_by_text("Seat 1, card 1: five of hearts").locator("..").click()
        await page.get_by_role("radio", name="six of hearts").check(force=True)
        await fill(page)
        await expect(page.locator(".preview")).to_be_visible()
        floor.house.play("2h")
        await expect(page.locator(".glance")).to_contain_text("4 of 416 cards out")
        await expect(page.get_by_label("Reason")).to_have_value("Seen on the table")
        await page.get_by_role("button", name="Correct the card").click()
        await expect(page.locator("#word > .said")).to_contain_text(
            "A card was dealt meanwhile: 4 cards are out"
        )
        await expect(page.locator(".preview")).to_be_hidden()
        await page.context.set_offline(True)
        await page.get_by_role("button", name="Preview").click()
        await expect(page.locator("#word > .said")).to_have_text(
            "No answer from the table: check whether it was done"
        )
        await page.get_by_role("button", name="Cancel").click()
        await page.get_by_role("button", name="Void the round").click()
        await expect(page.locator("#said")).to_contain_text("No answer from the table")


async def test_a_dealers_request_is_granted_by_one_of_two_and_the_next_declined(tmp_path: Path) -> None:
    async with open_floor(tmp_path, f"{DEALT} 1:stand") as floor:
        page, other = await floor.come("Ann"), await floor.come("Bob", PHONE)
        assert (
            await floor.house.post_previewed("Dee", "requests", about="undo", why="wrong seat")
        ).status_code == 201
        for one in (page, other):
            await expect(one.locator(".call")).to_have_text("Needs you")
            await one.get_by_role("button", name="Grant: Undo the last key").click()
            await expect(one.locator(".preview")).to_contain_text("Stand of seat 1 is taken back")
        await grant(other)
        await closed(other)
        await grant(page)
        await expect(page.locator("#word > .said")).to_contain_text("granted by Bob")
        await page.get_by_role("button", name="Cancel").click()
        await expect(page.get_by_text("Last answers: 1")).to_be_visible()
        assert floor.house.view().prompt_seat == 1
        await floor.house.post_previewed("Dee", "requests", about="void", why="wrong deal")
        await page.get_by_role("button", name="Decline: Void the round").click()
        await fill(page, "It is right as it is")
        await closed(page)
        done = floor.house.view().answered[0]
        assert (done.request.state, done.who, done.why) == ("declined", "Ann", "It is right as it is")


async def test_what_moves_a_jackpot_asks_another_supervisor(tmp_path: Path) -> None:
    tokens = "1:main=500 1:blazing-7s=100 close 9h 9d 9s"
    async with open_floor(tmp_path, tokens, "blackjack-x") as floor:
        page, other = await floor.come("Ann"), await floor.come("Bob")
        await page.get_by_role("button", name="Void the round").click()
        await fill(page, "cards exposed")
        await expect(page.get_by_role("button", name="Ask another supervisor")).to_be_visible()
        await sign(page, "cards exposed")
        await closed(page)
        await expect(page.get_by_role("button", name="Withdraw: Void the round")).to_be_visible()
        assert floor.house.view().round == 1
        await other.get_by_role("button", name="Grant: Void the round").click()
        await grant(other)
        await closed(other)
        assert floor.house.view().rounds[0].outcome == "void"


async def test_a_form_asks_for_the_password_with_its_preview_and_refuses_a_wrong_one_beside_it(
    tmp_path: Path,
) -> None:
    async with open_floor(tmp_path, game="blackjack-x") as floor:
        page = await floor.come("Ann", PHONE)
        sent: list[str] = []
        page.on("request", lambda asked: sent.append(f"{asked.method} {asked.url.partition('/api')[2]}"))
        password = page.get_by_label("Ann, type your password again")
        await page.get_by_role("button", name="Meter of").click()
        await expect(password).to_be_hidden()
        await page.get_by_label("Shows from now on").fill("25,000")
        await page.get_by_role("button", name="The display was compared").click()
        await page.get_by_role("button", name="Preview").click()
        await expect(password).to_be_focused()
        await page.keyboard.type("not the password")
        await page.keyboard.press("Enter")
        await expect(page.locator(".confirm .said")).to_have_text("this is not Ann's password")
        await expect(page.locator("#word > .said")).to_be_hidden()
        await expect(page.locator(".preview")).to_contain_text("25000.00")
        await expect(password).to_be_focused()
        await expect(password).to_have_value("")
        await page.get_by_label("Shows from now on").fill(" 26,000.00 ")
        await page.get_by_label("Reason").focus()
        await expect(password).to_be_hidden()
        await page.keyboard.press("Enter")
        await expect(password).to_be_focused()
        await expect(page.locator(".confirm .said")).to_be_hidden()
        await page.keyboard.type(PASSWORD)
        await page.keyboard.press("Enter")
        await closed(page)
        await expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
        asked = floor.house.view().requests[-1]
        assert "26000.00" in " ".join((*asked.sentences, asked.why))
    meter = " /v1/meters/blazing-7s"
    assert [one for one in sent if "meters" in one] == [
        f"POST{meter}/preview",
        f"POST{meter}",
        f"POST{meter}/preview",
        f"POST{meter}",
    ]


async def test_a_grant_asks_for_the_password_at_once_and_goes_on_to_it_after_a_note(
    tmp_path: Path,
) -> None:
    async with open_floor(tmp_path, f"{DEALT} 1:stand") as floor:
        page = await floor.come("Ann")
        await floor.house.post_previewed("Dee", "requests", about="undo", why="wrong seat")
        await page.get_by_role("button", name="Grant: Undo the last key").click()
        password = page.get_by_label("Ann, type your password again")
        await expect(password).to_be_visible()
        await expect(password).to_be_focused()
        await page.get_by_label("Note, if you want to add one").focus()
        await page.get_by_role("button", name="Seen on camera").click()
        await expect(password).to_be_focused()
        await page.keyboard.type(PASSWORD)
        await page.keyboard.press("Enter")
        await closed(page)
        done = floor.house.view().answered[0]
        assert (done.request.state, done.why) == ("granted", "Seen on camera")


async def test_a_claim_is_verified_by_two_and_paid(tmp_path: Path) -> None:
    fed = {"blazing-7s": Progressive(2_000_000, "12.5%", "2.5%", second_over=100_000)}
    tokens = "1:main=1000 1:blazing-7s=100 close 7h 7h 7h Kd"
    async with open_floor(tmp_path, tokens, "blackjack-x", jackpots=fed) as floor:
        page, other = await floor.come("Ann"), await floor.come("Bob", PHONE)
        await expect(page.get_by_text("The dealer does this at the console")).to_be_visible()
        assert (
            await floor.house.post_previewed("Dee", "claims/1/steps", step="confirm", why="seen")
        ).status_code == 204
        await page.get_by_role("button", name="Verify: claim 1").click()
        await sign(page)
        await closed(page)
        await expect(page.get_by_text("You signed an earlier step")).to_be_visible()
        await other.get_by_role("button", name="Verify as second: claim 1").click()
        await grant(other)
        await closed(other)
        await page.get_by_role("button", name="Paid: claim 1").click()
        await grant(page)
        await closed(page)
        await expect(other.get_by_text("Last hits: 1")).to_be_visible()
        claim = floor.house.view().claims[0]
        assert (claim.supervisor, claim.second, claim.payer) == ("Ann", "Bob", "Ann")
        assert "Claim 1: Seen on the table" in floor.house.rows_of("meter")[-1]
        for one in (page, other):
            width = "document.documentElement.scrollWidth <= window.innerWidth"
            assert await one.evaluate(width), "the page is wider than the screen"


async def test_a_supervisor_works_with_the_keyboard_alone(tmp_path: Path) -> None:
    async with open_floor(tmp_path, DEALT) as floor:
        page = await floor.come("Ann")
        await page.get_by_role("button", name="Log an access").focus()
        floor.house.play("1:stand")  # its panel is redrawn
        await expect(page.get_by_role("button", name="Undo a key")).to_be_visible()
        await expect(page.get_by_role("button", name="Log an access")).to_be_focused()
        await page.keyboard.press("Enter")
        await page.get_by_label("What you open").focus()
        await page.keyboard.press("Escape")
        await closed(page)
        await expect(page.get_by_role("button", name="Log an access")).to_be_focused()
        await page.keyboard.press("Enter")
        await page.get_by_label("Licence number").fill("12")
        await page.get_by_label("Reason").focus()
        await page.keyboard.type("fan replaced")
        await page.keyboard.press("Enter")
        await closed(page)
        records = floor.house.rows_of("supervisor")[-1]
        assert '"why":"fan replaced"' in records
        assert '"licence":"12"' in records
