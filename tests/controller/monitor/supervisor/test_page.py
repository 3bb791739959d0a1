"""The supervisor's page over a real connection: who gets it, what follows changes, which forms exist."""

from dataclasses import replace

import pytest

from controller.access.people import ROLES, Person
from controller.monitor.supervisor.page import SUPERVISOR
from controller.table.record.views import JackpotView
from tests.controller.monitor.supervisor.situations import ANN, AUDITOR, claims, quiet, requests, stray
from tests.fixtures.table_views import device
from tests.fixtures.web_server import KnownPerson, messages, web_server

FORMS = ("decision/void", "decision/correct", "decision/correct?of=0", "request/5/grant", "meter/blazing-7s")


@pytest.mark.parametrize("role", ROLES)
async def test_the_supervisor_page_serves_supervisors_and_auditors_alone(role: str) -> None:
    person = next(Person("Ann", one) for one in ROLES if one == role)
    async with web_server(requests(), door=KnownPerson(person)) as house:
        page = await house.client.get("/supervisor")
        form = await house.client.get("/supervisor/forms/request/5/grant")
    assert page.status_code == (200 if role in {"supervisor", "auditor"} else 403)
    assert form.status_code == (200 if role == "supervisor" else 403)


async def test_panels_follow_the_table_for_the_person_who_looks() -> None:
    async with (
        web_server(quiet(), door=KnownPerson(AUDITOR)) as house,
        house.client.stream("GET", "/supervisor/events") as response,
    ):
        news = messages(response)
        assert set(await anext(news)) == {one.name for one in SUPERVISOR.panels}
        house.show(stray())
        changed = await anext(news)
        assert "Needs you" in changed["tile"]
        assert "Card 9 left the shoe" in changed["ruling"]
        assert "<button" not in "".join(changed.values())
        assert "approvals" not in changed


async def test_ages_on_the_page_advance_without_any_change() -> None:
    lost = replace(quiet(), jackpots=(JackpotView("blazing-7s", 5),), devices=(device("display", "waiting"),))
    async with (
        web_server(replace(lost, devices=(device("display"),)), beat=0.02) as house,
        house.client.stream("GET", "/supervisor/events") as response,
    ):
        news = messages(response)
        assert "fresh" in (await anext(news))["tile"]
        house.view_source.view = lost  # without a notification of the change
        while not (changed := await anext(news)):
            pass
        assert set(changed) == {"tile"}
        assert "link lost" in changed["tile"]


async def test_two_people_see_their_own_page() -> None:
    door = KnownPerson(ANN)
    async with web_server(requests(), door=door) as house:
        assert "Withdraw" in (await house.client.get("/supervisor")).text
        door.one = Person("Bob", "supervisor")
        assert "Withdraw" not in (await house.client.get("/supervisor")).text
        door.one = ANN
        assert "Withdraw" in (await house.client.get("/supervisor")).text


@pytest.mark.parametrize("form", FORMS)
async def test_each_form_of_the_supervisor_page_is_served(form: str) -> None:
    view = {"meter": claims(), "request": requests()}.get(form.partition("/")[0], quiet())
    async with web_server(view) as house:
        answer = await house.client.get(f"/supervisor/forms/{form}")
        assert answer.status_code == 200
        assert answer.text.lstrip().startswith("<form data-send=")


@pytest.mark.parametrize(
    ("form", "status", "why"),
    [
        ("decision/resume", 404, "resume is not possible now; possible: correct, undo, reload, void"),
        ("decision/correct?of=99", 404, "no card of round 99 can be put right: it is void, or not kept"),
        ("claim/9/verify", 404, "there is no claim 9; open claims: none is open"),
        ("meter/mega", 404, "there is no jackpot mega"),
        ("request/x/grant", 422, ""),
        ("decision/correct?of=-1", 422, ""),
    ],
)
async def test_a_choice_that_is_not_allowed_has_no_form(form: str, status: int, why: str) -> None:
    async with web_server(quiet()) as house:
        answer = await house.client.get(f"/supervisor/forms/{form}")
        assert answer.status_code == status
        assert not why or answer.json() == {"detail": why}
