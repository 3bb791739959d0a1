"""Signing in and out over HTTP at a real table: wrong PINs, expired sessions, forged forms, who deals."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.access.errors import AccountsUnusable
from controller.access.lockout import FREE_FAILURES
from controller.daemon.access_journal import record_access, record_pending
from controller.monitor.sign_in.cookies import CSRF, SESSION
from controller.table.view.build import build_view
from tests.fixtures.access_desk import PASSWORD, PIN
from tests.fixtures.access_desk import hire_staff as hired
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import LoopTable, loop_table
from tests.fixtures.web_staff import Staff, staffed

API = "/api/v1/session"
DEE = {"kind": "pin", "name": "Dee", "secret": PIN}
ANN = {"kind": "password", "name": "Ann", "secret": PASSWORD}
EVIL = "https://evil.example"


@dataclass(frozen=True)
class Place:
    """A table, and the people who come to it."""

    at: LoopTable
    staff: Staff

    @property
    def deals(self) -> str:
        return self.at.table.state.shift.croupier

    async def access_rows(self) -> list[str]:
        """The access rows of the journal."""
        await record_pending(self.staff.access, self.at.table)
        kept = [each.content for each in self.at.journal.since(0)]
        return [each.body for each in kept if each.kind == "access"]


@asynccontextmanager
async def table(folder: Path) -> AsyncIterator[Place]:
    script = Script("easy-jack")
    with (
        loop_table(folder / "journal", script.started()) as at,
        staffed(folder, lambda: build_view("T", at.table.state, ()), at.table) as staff,
    ):
        hired(staff.access)
        running = asyncio.create_task(at.table.run())
        try:
            yield Place(at, staff)
        finally:
            running.cancel()
            await asyncio.wait({running})


async def sign_in(browser: httpx.AsyncClient, words: dict[str, str]) -> dict[str, Any]:
    answer = await browser.post(API, json=words)
    assert answer.status_code == 200, answer.text
    browser.headers["X-CSRF-Token"] = answer.cookies[CSRF]
    body: dict[str, Any] = answer.json()
    return body


async def test_a_dealer_who_signs_in_deals_until_they_sign_out(tmp_path: Path) -> None:
    async with table(tmp_path) as place, place.staff.browser() as browser:
        me = await sign_in(browser, DEE)
        assert (me["name"], me["role"], me["home"]) == ("Dee", "dealer", "/console")
        assert (await browser.get(API)).json() == me
        assert place.deals == "Dee"
        assert (await browser.delete(API)).status_code == 204
        assert (await browser.get(API)).status_code == 401
        records = await place.access_rows()
        assert place.deals == ""
    assert ["signed in" in records[-2], "signed out" in records[-1]] == [True, True]


async def test_whoever_signs_in_learns_how_often_it_failed_before(tmp_path: Path) -> None:
    async with table(tmp_path) as place, place.staff.browser() as browser:
        for _ in range(3):
            assert (await browser.post(API, json=DEE | {"secret": "0009"})).status_code == 401
        assert (await sign_in(browser, DEE))["failures"] == 3
        assert (await browser.get(API)).json()["failures"] == 3
        assert (await sign_in(browser, DEE))["failures"] == 0


async def test_who_signs_out_does_not_end_what_another_began(tmp_path: Path) -> None:
    async with (
        table(tmp_path) as place,
        place.staff.browser() as first,
        place.staff.browser("dealer") as other,
    ):
        await sign_in(first, DEE)
        assert (await other.delete(API)).status_code == 204
        assert place.deals == "Dee"


async def test_another_at_the_same_screen_ends_the_session_before(tmp_path: Path) -> None:
    async with table(tmp_path) as place, place.staff.browser() as browser:
        await sign_in(browser, DEE)
        shown = browser.cookies[SESSION]
        await sign_in(browser, ANN)
        assert place.staff.access.sessions.find(shown) is None
        await place.access_rows()
        assert place.deals == ""


async def test_cookies_are_ours_alone(tmp_path: Path) -> None:
    for tls in (False, True):
        folder = tmp_path / str(tls)
        folder.mkdir()
        with staffed(folder, tls=tls) as staff:
            hired(staff.access)
            async with staff.browser() as browser:
                answer = await browser.post(API, json=ANN)
        given = {one.split("=")[0]: one for one in answer.headers.get_list("set-cookie")}
        prefix = "__Host-" if tls else ""
        assert set(given) == {prefix + SESSION, prefix + CSRF}
        assert ["HttpOnly" in given[prefix + name] for name in (SESSION, CSRF)] == [True, False]
        for cookie in given.values():
            assert "SameSite=strict" in cookie
            assert "Path=/" in cookie
            assert "Domain" not in cookie
            assert ("Secure" in cookie) is tls
        assert ("Strict-Transport-Security" in answer.headers) is tls


@pytest.mark.parametrize(
    ("scheme", "name", "status"),
    [
        ("http", SESSION, 200),
        ("http", f"__Host-{SESSION}", 401),
        ("https", SESSION, 401),
        ("https", f"__Host-{SESSION}", 200),
    ],
)
async def test_a_page_with_tls_takes_no_cookie_that_another_server_may_have_set(
    tmp_path: Path, scheme: str, name: str, status: int
) -> None:
    with staffed(tmp_path, tls=scheme == "https") as staff:
        async with staff.browser() as browser:
            token = staff.sessions["supervisor"][SESSION]
            answer = await browser.get(f"{scheme}://127.0.0.1{API}", headers={"Cookie": f"{name}={token}"})
    assert answer.status_code == status


async def test_the_description_names_the_cookies_that_the_server_sets(tmp_path: Path) -> None:
    for tls, prefix in ((False, ""), (True, "__Host-")):
        folder = tmp_path / str(tls)
        folder.mkdir()
        with staffed(folder, tls=tls) as staff:
            async with staff.browser() as browser:
                document = (await browser.get("/api/v1/openapi.json")).json()
        schemes = document["components"]["securitySchemes"]
        assert schemes["session"]["name"] == prefix + SESSION
        assert f"cookie {prefix}{CSRF}," in schemes["csrf"]["description"]


async def test_accounts_that_cannot_be_used_stop_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.access.desk.DAEMON_PATIENCE", 0.0)
    monkeypatch.setattr("controller.daemon.access_journal.INTERVAL", 0.001)
    reported: asyncio.Queue[AccountsUnusable | None] = asyncio.Queue()
    async with table(tmp_path) as place, place.staff.browser() as browser:
        telling = asyncio.create_task(record_access(place.staff.access, place.at.table, reported.put_nowait))
        with closing(sqlite3.connect(tmp_path / "access.db")) as other:
            other.execute("BEGIN IMMEDIATE")
            assert str(await reported.get()).endswith("access.db cannot be used: database is locked")
            assert (await browser.post(API, json=DEE)).status_code == 503
        await sign_in(browser, DEE)
        assert await reported.get() is None
        assert (telling.done(), reported.empty()) == (False, True)
        telling.cancel()
        assert any("signed in" in each for each in await place.access_rows())


async def test_wrong_pins_end_in_a_lock_that_says_how_long(tmp_path: Path) -> None:
    async with table(tmp_path) as place, place.staff.browser() as browser:
        for _ in range(FREE_FAILURES - 1):
            answer = await browser.post(API, json={**DEE, "secret": "0000"})
            assert (answer.status_code, answer.json()["detail"]) == (401, "name or PIN is not right")
        answer = await browser.post(API, json={**DEE, "secret": "0000"})
        assert (answer.status_code, answer.headers["Retry-After"]) == (423, "300")
        assert answer.json()["detail"] == "too many failures: locked for 5 minutes"
        assert (await browser.post(API, json=DEE)).status_code == 423
        assert place.deals == ""
        records = await place.access_rows()
    assert sum('"locked out"' in each for each in records) == 1
    assert sum('"refused"' in each for each in records) == 1
    assert not any("0000" in each for each in records)


async def test_an_expired_session_leads_to_the_page_and_ends_dealing(tmp_path: Path) -> None:
    async with table(tmp_path) as place, place.staff.browser() as browser:
        await sign_in(browser, DEE)
        place.staff.clock.now += 3601
        assert (await browser.post("/api/v1/keys", json={"action": "close"})).status_code == 401
        page = await browser.get("/console", headers={"Accept": "text/html"})
        assert page.headers["location"] == "/sign-in?next=/console"
        records = await place.access_rows()
        assert place.deals == ""
    assert '"expired"' in records[-1]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": EVIL},
        {"Origin": "null"},
        {"Origin": "http://[::1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"X-CSRF-Token": "made up"},
        {"X-CSRF-Token": ""},
    ],
    ids=str,
)
async def test_a_forged_form_does_nothing_and_is_told(tmp_path: Path, headers: dict[str, str]) -> None:
    async with table(tmp_path) as place, place.staff.browser() as browser:
        await sign_in(browser, DEE)
        answer = await browser.delete(API, headers=headers)
        assert answer.status_code == 403
        assert (await browser.get(API)).status_code == 200
        assert place.deals == "Dee"
        records = await place.access_rows()
    assert '"forged"' in records[-1]
    assert "DELETE /api/v1/session" in records[-1]


async def test_nobody_is_signed_in_by_a_page_of_somebody_elses(tmp_path: Path) -> None:
    async with table(tmp_path) as place, place.staff.browser() as browser:
        answer = await browser.post(API, json=ANN, headers={"Origin": EVIL})
        assert (answer.status_code, answer.cookies.get(SESSION)) == (403, None)
        assert '"forged"' in (await place.access_rows())[-1]


async def test_a_supervisor_chooses_a_new_password(tmp_path: Path) -> None:
    async with table(tmp_path) as place, place.staff.browser() as browser:
        await sign_in(browser, ANN)
        words = {"old": "not this one", "new": "seven of diamonds!"}
        assert (await browser.post(f"{API}/password", json=words)).status_code == 409
        words["old"] = PASSWORD
        assert (await browser.post(f"{API}/password", json=words)).status_code == 204
        assert (await browser.get(API)).status_code == 401
        await sign_in(browser, {**ANN, "secret": "seven of diamonds!"})
