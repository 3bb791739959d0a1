"""What a technician sends through the API, and who else may send what."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from controller.access.people import ROLES, Person
from controller.table.errors import NotAllowed
from controller.table.record import events
from tests.controller.monitor.technician.workshop import ANN, TIM
from tests.fixtures.core_socket import IdleDesk
from tests.fixtures.web_server import KnownPerson, web_server

BEGIN = {"on": True, "why": "seat 3 is dark"}
END = {"on": False}
DARK = {"seat": 3, "spot": "main", "works": False}


class Desk(IdleDesk):
    """Records what it is asked; refuses with `refusal`."""

    def __init__(self, refusal: str = "") -> None:
        super().__init__()
        self.refusal = refusal

    async def decide(self, decision: events.Decision) -> None:
        if self.refusal:
            raise NotAllowed(self.refusal)
        await super().decide(decision)


@asynccontextmanager
async def asking(person: Person = TIM, desk: Desk | None = None) -> AsyncIterator[httpx.AsyncClient]:
    async with web_server(door=KnownPerson(person), desk=desk) as house:
        yield house.client


async def test_a_technician_begins_and_ends_test_mode() -> None:
    desk = Desk()
    async with asking(TIM, desk) as client:
        for body in (BEGIN, END):
            assert (await client.post("/api/v1/test-mode", json=body)).status_code == 204
    assert desk.heard == [
        events.TestMode(True, "Tim", "seat 3 is dark"),
        events.TestMode(False, "Tim", ""),
    ]


async def test_a_supervisor_ends_test_mode_and_cannot_begin_it() -> None:
    desk = Desk()
    async with asking(ANN, desk) as client:
        began = await client.post("/api/v1/test-mode", json=BEGIN)
        assert (began.status_code, began.json()["detail"]) == (
            403,
            "Ann is supervisor: a technician begins test mode",
        )
        assert (await client.post("/api/v1/test-mode", json=END)).status_code == 204
    assert desk.heard == [events.TestMode(False, "Ann", "")]


async def test_only_a_technician_tests_lamps() -> None:
    desk = Desk()
    async with asking(TIM, desk) as client:
        body = {"pattern": "walk", "seen": " seat 3 spot 2 dark "}
        assert (await client.post("/api/v1/lamp-test", json=body)).status_code == 204
    assert desk.heard == [events.LampTest("walk", "Tim", "seat 3 spot 2 dark")]


async def test_a_technician_reports_a_lamp() -> None:
    desk = Desk()
    async with asking(TIM, desk) as client:
        assert (await client.post("/api/v1/lamp-report", json=DARK)).status_code == 204
    assert desk.heard == [events.LampReported(3, "main", False, "Tim")]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("path", "body", "served"),
    [
        ("/api/v1/test-mode", END, {"technician", "supervisor"}),
        ("/api/v1/lamp-test", {"pattern": "win"}, {"technician"}),
        ("/api/v1/lamp-report", DARK, {"technician"}),
    ],
)
async def test_each_action_serves_its_roles_alone(
    role: str, path: str, body: dict[str, object], served: set[str]
) -> None:
    person = next(Person("Pat", known) for known in ROLES if known == role)
    async with asking(person, Desk()) as client:
        answer = await client.post(path, json=body)
    assert answer.status_code == (204 if role in served else 403)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("test-mode", {"on": True}),
        ("test-mode", {"on": True, "why": " "}),
        ("test-mode", {"on": True, "why": "x" * 201}),
        ("test-mode", {"on": "yes", "why": "dark"}),
        ("test-mode", {**BEGIN, "who": "Ann"}),
        ("lamp-test", {"pattern": "disco"}),
        ("lamp-test", {}),
        ("lamp-report", {"seat": 0, "spot": "main", "works": True}),
        ("lamp-report", {"seat": 10, "spot": "main", "works": True}),
        ("lamp-report", {"seat": 3, "spot": "", "works": True}),
        ("lamp-report", {"seat": 3, "spot": "main"}),
    ],
)
async def test_an_action_with_wrong_fields_is_refused(path: str, body: dict[str, object]) -> None:
    desk = Desk()
    async with asking(TIM, desk) as client:
        assert (await client.post(f"/api/v1/{path}", json=body)).status_code == 422
    assert desk.heard == []


async def test_the_table_s_own_words_are_told() -> None:
    async with asking(TIM, Desk("lamps are tested in test mode: enter it first")) as client:
        answer = await client.post("/api/v1/lamp-test", json={"pattern": "win"})
    assert (answer.status_code, answer.json()["detail"]) == (
        409,
        "lamps are tested in test mode: enter it first",
    )


async def test_an_action_without_a_table_answers_503() -> None:
    async with asking(TIM) as client:
        assert (await client.post("/api/v1/test-mode", json=END)).status_code == 503


async def test_the_page_is_the_technician_s_alone() -> None:
    async with asking(ANN) as client:
        assert (await client.get("/technician")).status_code == 403
        assert (await client.get("/technician/events")).status_code == 403
