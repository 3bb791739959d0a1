"""The sign-in page: who is offered, where it leads, and what a stream does when its session ends."""

from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable
from controller.monitor.sign_in.cookies import SESSION
from tests.fixtures.access_desk import FROM, Clock
from tests.fixtures.web_server import ANN, TIM, KnownPerson, web_server
from tests.fixtures.web_staff import staffed


async def test_dealers_are_offered_on_the_tables_own_screen_only(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser() as here, staff.browser(address="10.0.0.9") as elsewhere:
            offered = [
                'value="Dealer"' in (await browser.get("/sign-in")).text for browser in (here, elsewhere)
            ]
    assert offered == [True, False]


async def test_whoever_was_signed_out_reads_why(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser("supervisor") as first, staff.browser() as new:
            before = (await first.get("/sign-in")).text
            supervisor = next(each for each in staff.access.accounts.list_all() if each.role == "supervisor")
            staff.access.sessions.begin(supervisor, "10.0.0.9")
            after = (await first.get("/sign-in")).text
            others = (await new.get("/sign-in")).text
    assert ["signed in elsewhere" in page for page in (before, after, others)] == [False, True, False]


async def test_the_sign_in_page_without_accounts_names_the_command(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        for account in staff.access.accounts.list_all():
            staff.access.accounts.remove(account.name, "root")
        async with staff.browser() as browser:
            page = (await browser.get("/sign-in")).text
    assert "tableside people add" in page
    assert "password" not in page


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ("/rounds/7?page=2", "/rounds/7?page=2"),
        ("//evil.example", ""),
        ("/\\evil.example", ""),
        ("https://evil.example", ""),
        ("javascript:alert(1)", ""),
        ("/\tevil", ""),
    ],
)
async def test_the_sign_in_page_leads_to_pages_of_this_table_only(
    tmp_path: Path, wanted: str, kept: str
) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser() as browser:
            page = (await browser.get("/sign-in", params={"next": wanted})).text
    assert f'data-wanted="{kept}"' in page


async def test_what_cannot_be_told_now_says_so_to_a_browser(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser("auditor") as browser:
            answers = [
                await browser.get("/rounds", headers={"Accept": kind})
                for kind in ("text/html", "application/json")
            ]
    assert [answer.status_code for answer in answers] == [503, 503]
    assert "<h1>Not now</h1>" in answers[0].text
    assert answers[1].json()["detail"] in answers[0].text


async def test_a_page_for_others_says_so(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser("dealer") as browser:
            answer = await browser.get("/technician", headers={"Accept": "text/html"})
    assert answer.status_code == 403
    assert "Dealer is dealer; allowed: technician" in answer.text
    assert 'href="/home"' in answer.text


async def test_the_sign_in_page_leads_back_to_the_requested_page(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser() as browser:
            answer = await browser.get("/audit?person=Ann%26Bob&page=2", headers={"Accept": "text/html"})
            page = (await browser.get(answer.headers["location"])).text
    assert 'data-wanted="/audit?person=Ann%26Bob&amp;page=2"' in page


async def test_following_a_stream_does_not_count_as_activity(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser("auditor") as browser:
            for _ in range(3):
                staff.clock.now += 600
                assert (await browser.get("/audit/events")).status_code != 401
            staff.clock.now += 600
            follows = {"Accept": "text/event-stream"}
            assert (await browser.get("/supervisor/events", headers=follows)).status_code == 200
            staff.clock.now += 600
            assert (await browser.get("/audit/events")).status_code == 401


async def test_accounts_that_cannot_be_used_are_no_fault_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_token: str, **_heard: bool) -> None:
        raise AccountsUnusable(Path("/secret/place"), "disk I/O error")

    with staffed(tmp_path) as staff:
        monkeypatch.setattr(staff.access.sessions, "find", broken)
        async with staff.browser("dealer") as browser:
            answer = await browser.get("/console")
    assert answer.status_code == 503
    assert answer.json() == {"detail": "the accounts cannot be used now: look at the alerts"}


async def test_a_stream_ends_with_its_session(tmp_path: Path) -> None:
    with AccessDesk(tmp_path / "access.db", Clock(), Clock()) as access:
        token, _ = access.sessions.begin(access.accounts.add("Ann", "supervisor", "root"), FROM)
        async with web_server(beat=0.02, access=access) as house:
            house.client.cookies.set(SESSION, token)
            async with house.client.stream("GET", "/supervisor/events") as stream:
                assert stream.status_code == 200
                lines = stream.aiter_lines()
                await anext(lines)
                access.sessions.end(token, FROM)
                assert [line async for line in lines]
            assert (await house.client.get("/supervisor/events")).status_code == 401


async def test_everybody_is_led_to_their_own_first_page() -> None:
    for person, first in ((ANN, "/supervisor"), (TIM, "/technician")):
        async with web_server(door=KnownPerson(person)) as house:
            answer = await house.client.get("/home")
        assert (answer.status_code, answer.headers["location"]) == (303, first)
