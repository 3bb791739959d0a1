"""Who may open which page of the floor, and how the floor's own people sign in."""

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from controller.access.desk import AccessDesk
from controller.access.people import ROLES
from controller.calendar import Calendar
from controller.floor.acknowledgements import AcknowledgementTrail
from controller.floor.approvals.desk import CommandDesk
from controller.floor.notices.desk import NoticeDesk, NoticeRules
from controller.floor.notices.register import NoticeRegister
from controller.floor.pages.alert_desk import FloorAlertDesk
from controller.floor.pages.application import build
from controller.floor.pages.channels import TileChannels
from controller.floor.pages.context import FloorContext, home_path, links_for
from controller.floor.pages.people import FLOOR_ROLES, FloorPeople
from controller.floor.pages.rendering import render_tile
from controller.floor.pages.server import Acts
from controller.floor.pages.view import FloorView, HouseState, house_state
from controller.floor.past.answers import answer
from controller.floor.past.settings import PastSettings
from controller.floor.tables.picture import FloorPicture
from controller.monitor.authorization import ROLES_KEY
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.headers import HEADERS
from controller.monitor.sign_in.authentication import SessionAuthentication
from controller.monitor.sign_in.cookies import CSRF, SESSION
from controller.monitor.sign_in.place import Place
from tests.fixtures.access_desk import FROM, PASSWORD, SECRETS, add_with_secret
from tests.fixtures.floor_acts import AwayActs
from tests.fixtures.floor_pages import pits_of
from tests.fixtures.past_answers import local_worker

NOBODY = ""
PAGES = ("/floor", "/floor/events", "/floor/tables/bj-001", "/floor/tables/bj-001/events", "/account")


@asynccontextmanager
async def floor(
    folder: Path,
    role: str = NOBODY,
    *,
    public: bool = False,
    csrf: bool = True,
    picture: FloorPicture | None = None,
    past: PastSettings | None = None,
    acts: Acts | None = None,
) -> AsyncIterator[httpx.AsyncClient]:
    """The floor's pages, and the browser of a person with this role. Streams end at once."""
    changes, shown = ChangeNotifier(), picture or FloorPicture(pits_of(4), time.time())
    done = acts or AwayActs()

    def rest() -> HouseState:
        return house_state(shown, done.version, done.standing)

    changes.close()
    with (
        AccessDesk(folder / "access.db", time.time, time.monotonic, dealer_from=()) as desk,
        AcknowledgementTrail(folder / "stores") as trail,
        NoticeRegister(folder / "stores") as notices,
    ):
        people, cookies = FloorPeople(desk), {}
        for each in ROLES:
            token, session = desk.sessions.begin(add_with_secret(desk, each.title(), each), FROM)
            if each == role:
                cookies = {SESSION: token, CSRF: session.csrf}
        place = Place(people, lambda: "Grand", home=home_path, links=links_for, dealers=False)
        view, door = FloorView(lambda: shown.tiles, render_tile, rest), SessionAuthentication(people)
        channels = TileChannels(view, time.monotonic)
        alerts = FloorAlertDesk(shown, trail, done, time.time)
        commands = CommandDesk(shown, done, time.time)
        rules = NoticeRules(72, Calendar(), lambda: shown.tiles)
        desks = commands, people, NoticeDesk(notices, rules, done.note, time.time)
        worker = local_worker(answer)
        app = build(
            FloorContext(place, channels, changes, door, alerts, *desks, worker, public=public, past=past)
        )
        headers = {"X-CSRF-Token": cookies[CSRF]} if cookies and csrf else {}
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1", cookies=cookies, headers=headers
        ) as client:
            yield client


@pytest.mark.parametrize("role", [NOBODY, *ROLES])
async def test_pages_serve_the_people_of_the_floor_and_nobody_else(tmp_path: Path, role: str) -> None:
    async with floor(tmp_path, role) as browser:
        statuses = [(await browser.get(path)).status_code for path in PAGES]
    if role == NOBODY:
        assert statuses == [401] * 5
    else:
        assert statuses == [200 if role in FLOOR_ROLES else 403] * 4 + [200]


async def test_every_route_declares_its_roles(tmp_path: Path) -> None:
    async with floor(tmp_path) as browser:
        app = browser._transport.app  # type: ignore[attr-defined]
        undeclared = [
            route.path
            for route in app.routes
            if hasattr(route, "openapi_extra") and ROLES_KEY not in (route.openapi_extra or {})
        ]
    assert undeclared == []


async def test_a_public_floor_shows_its_tiles_only(tmp_path: Path) -> None:
    async with floor(tmp_path, public=True) as browser:
        statuses = [(await browser.get(path)).status_code for path in PAGES]
    assert statuses == [200, 200, 401, 401, 401]


async def test_a_public_floor_offers_to_sign_in_until_somebody_has(tmp_path: Path) -> None:
    async with floor(tmp_path, public=True) as browser:
        assert '<a href="/sign-in?next=/floor">Sign in</a>' in (await browser.get("/floor")).text
    (tmp_path / "other").mkdir()
    async with floor(tmp_path / "other", "supervisor", public=True) as browser:
        assert "Sign in</a>" not in (await browser.get("/floor")).text


async def test_pages_have_the_security_headers_and_no_script_of_others(tmp_path: Path) -> None:
    async with floor(tmp_path, "supervisor") as browser:
        for path in ("/floor", "/floor/tables/bj-001", "/static/floor/floor.js"):
            answer = await browser.get(path)
            assert {name: answer.headers[name] for name in HEADERS} == dict(HEADERS)
            if path.startswith("/floor"):
                assert not re.search(r"<script(?! src=\"/static/)|<style|\sstyle=|\son\w+=", answer.text)
                sources = re.findall(r"(?:src|href)=\"(/static/[^\"]+)\"", answer.text)
                assert [(await browser.get(source)).status_code for source in sources] == [200] * len(sources)


async def test_an_unknown_table_is_not_found_and_named(tmp_path: Path) -> None:
    async with floor(tmp_path, "auditor") as browser:
        answer = await browser.get("/floor/tables/bj-999")
        assert (answer.status_code, answer.json()) == (404, {"detail": "table 'bj-999': not on this floor"})
        assert (await browser.get("/floor/tables/BJ_1")).status_code == 422


@pytest.mark.parametrize(
    ("name", "kind", "status"),
    [("Supervisor", "password", 200), ("Dealer", "pin", 401), ("Stranger", "password", 401)],
)
async def test_the_floors_own_people_sign_in_and_dealers_do_not(
    tmp_path: Path, name: str, kind: str, status: int
) -> None:
    async with floor(tmp_path) as browser:
        body = {"kind": kind, "name": name, "secret": SECRETS[kind]}  # type: ignore[index]
        answer = await browser.post("/api/v1/session", json=body)
        assert answer.status_code == status, answer.text
        if status == 200:
            assert answer.json()["home"] == "/floor"


async def test_a_locked_name_is_told_for_how_long(tmp_path: Path) -> None:
    async with floor(tmp_path) as browser:
        body = {"kind": "password", "name": "Supervisor", "secret": "wrong"}
        answers = [await browser.post("/api/v1/session", json=body) for _ in range(5)]
    assert answers[-1].status_code == 423
    assert int(answers[-1].headers["retry-after"]) > 0


async def test_signing_out_and_a_new_password_end_the_session(tmp_path: Path) -> None:
    async with floor(tmp_path, "supervisor") as browser:
        wrong = {"old": "not mine at all", "new": "twelve green tables"}
        answer = await browser.post("/api/v1/session/password", json=wrong)
        assert (answer.status_code, answer.json()["detail"]) == (409, "the old password is not right")
        assert (await browser.get("/api/v1/session")).json()["name"] == "Supervisor"
        new = {"old": PASSWORD, "new": "twelve green tables"}
        assert (await browser.post("/api/v1/session/password", json=new)).status_code == 204
        assert (await browser.get("/floor")).status_code == 401


async def test_a_forged_request_is_refused(tmp_path: Path) -> None:
    async with floor(tmp_path, "supervisor", csrf=False) as browser:
        assert (await browser.delete("/api/v1/session")).status_code == 403
        assert (await browser.get("/floor")).status_code == 200


async def test_health_counts_tables_for_anyone(tmp_path: Path) -> None:
    async with floor(tmp_path) as browser:
        assert (await browser.get("/health")).json() == {"tables": 4, "attention": 0}
