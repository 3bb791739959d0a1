"""The account page, and the reminder to renew an old secret."""

from pathlib import Path

import httpx

from controller.access.people import ROLES
from controller.access.sessions import SessionLimits
from tests.fixtures.access_desk import FROM, PASSWORD, PIN
from tests.fixtures.access_desk import hire_staff as hired
from tests.fixtures.web_staff import staffed

DAY = 86_400.0


async def shown(browser: httpx.AsyncClient, path: str = "/account") -> str:
    answer = await browser.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


async def sign_in(browser: httpx.AsyncClient, kind: str, name: str, secret: str) -> None:
    fields = {"kind": kind, "name": name, "secret": secret}
    assert (await browser.post("/api/v1/session", json=fields)).status_code == 200


async def test_the_account_page_shows_name_session_and_secrets(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        hired(staff.access)
        async with staff.browser(address=FROM) as browser:
            await sign_in(browser, "pin", "Dee", PIN)
            page = await shown(browser)
    for text in ('id="you">Dee<', f"<dd>{FROM}</dd>", "<dd>yes</dd>", "or 60 minutes after", "New PIN again"):
        assert text in page
    assert "due" not in page.partition("<main")[2]


async def test_who_has_no_secret_yet_is_told_how_to_get_one(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser("auditor") as browser:
            page = await shown(browser)
    assert 'tableside people password "Auditor"' in page
    assert "<form" not in page


async def test_an_old_secret_is_reminded_of_wherever_one_is(tmp_path: Path) -> None:
    limits = dict.fromkeys(ROLES, SessionLimits(900, 36_000, 90 * DAY))
    with staffed(tmp_path, limits=limits) as staff:
        hired(staff.access)
        for passed, due in ((90 * DAY, False), (60, True)):
            staff.clock.now += passed
            async with staff.browser() as browser:
                await sign_in(browser, "password", "Ann", PASSWORD)
                pages = [await shown(browser, path) for path in ("/account", "/supervisor")]
            assert ["new password due" in page for page in pages] == [due, due]
            assert ("Your password is more than 90 days old" in pages[0]) is due
