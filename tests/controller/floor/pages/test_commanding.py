"""What people at the floor do about a table: over the routes of the pages to a real table and back."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.access.people import ROLES
from controller.floor.approvals.acts import FloorActs
from controller.floor.connection import Servers, connection
from controller.floor.floor_log import ENTRY, FILE
from controller.floor.nats_server import nats_server
from controller.floor.streams import Deployment, prepare
from controller.floor.tables.picture import FloorPicture
from controller.journal.history import History
from tests.controller.floor.approvals.acting import acting, look_again, picture_of, until_acting
from tests.controller.floor.approvals.house import House, open_house, relaying
from tests.controller.floor.pages.test_access import floor
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.floor_acts import AWAY

TABLE = "/api/v1/floor/tables/t7"
CONFIRM = {"kind": "password", "secret": PASSWORD}
WHY = {"why": "seen on camera"}


@dataclass
class Pit:
    """A table, and a person at the floor with a browser."""

    house: House
    acts: FloorActs
    picture: FloorPicture
    browser: httpx.AsyncClient

    def look(self) -> None:
        look_again(self.picture, self.house)

    async def preview(self, number: int, grant: str = "true") -> dict[str, Any]:
        answer = await self.browser.get(f"{TABLE}/requests/{number}/preview?grant={grant}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def answer(self, number: int, **body: object) -> httpx.Response:
        return await self.browser.post(f"{TABLE}/requests/{number}/answer", json=WHY | body)

    def requests(self) -> int:
        return len(self.house.core.at.table.state.shift.requests.open)


@asynccontextmanager
async def pit(
    tmp_path: Path, address: str, role: str = "supervisor", *, relay: bool = True
) -> AsyncIterator[Pit]:
    """A table whose dealer has asked for a void: request 1."""
    async with (
        connection(Servers((address,), "pit", "_INBOX_pit")) as client,
        open_house(tmp_path, address, relay=relay) as house,
        acting(client, tmp_path / "acts") as acts,
    ):
        await until_acting(acts)
        await house.grant()
        picture = picture_of(house)
        async with floor(tmp_path / "floor", role, picture=picture, acts=acts) as browser:
            yield Pit(house, acts, picture, browser)


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    (tmp_path / "floor").mkdir()
    async with nats_server(tmp_path / "nats") as found:
        async with connection(Servers((found,), "prepare", "_INBOX_prepare")) as client:
            await prepare(client.jetstream(), Deployment("house"))
        yield found


async def test_a_supervisor_grants_what_a_dealer_asks_for(tmp_path: Path, address: str) -> None:
    async with pit(tmp_path, address) as at:
        form = (await at.browser.get("/floor/forms/tables/t7/request/1/grant")).text
        assert "t7: Grant: Void the round" in form
        assert "Dee: exposed" in form
        seen = await at.preview(1)
        assert (seen["confirm"], seen["by_two"], bool(seen["sentences"])) == ("password", False, True)
        answer = await at.answer(1, grant=True, token=seen["token"], confirm=CONFIRM)
        assert (answer.status_code, answer.json()["state"]) == (200, "done")
        (row,) = at.house.core.rows_of("floor command")
        assert (row["who"], row["second"], row["why"]) == ("Supervisor", "Dee", "seen on camera")
        assert at.house.core.at.table.state.round.phase == "betting"
        page = (await at.browser.get("/floor/tables/t7")).text
        assert "Supervisor and Dee" in page
        assert "Done: the table has it in its journal in row" in page
    rows = [row.content for row in History(tmp_path / "acts" / FILE).rows()]
    kinds = [json.loads(row.body)["kind"] for row in rows if row.kind == ENTRY]
    assert kinds[:2] == ["command", "outcome"]


async def test_a_grant_without_a_note_has_the_reason_that_the_dealer_stated(
    tmp_path: Path, address: str
) -> None:
    async with pit(tmp_path, address) as at:
        seen = await at.preview(1)
        answer = await at.answer(1, grant=True, why="", token=seen["token"], confirm=CONFIRM)
        assert (answer.status_code, answer.json()["state"]) == (200, "done")
        (row,) = at.house.core.rows_of("floor command")
        assert (row["who"], row["second"], row["why"]) == ("Supervisor", "Dee", "exposed")


@pytest.mark.parametrize(
    ("confirm", "why"),
    [
        (None, "this takes Supervisor's password again, at this moment"),
        ({"kind": "password", "secret": "a wrong one"}, "this is not Supervisor's password"),
    ],
)
async def test_a_grant_takes_the_secret_of_the_supervisor(
    tmp_path: Path, address: str, confirm: object, why: str
) -> None:
    async with pit(tmp_path, address) as at:
        token = (await at.preview(1))["token"]
        body = {"grant": True, "token": token} | ({"confirm": confirm} if confirm else {})
        answer = await at.answer(1, **body)
        assert (answer.status_code, answer.json()) == (403, {"detail": why, "confirm": "password"})
        assert (at.requests(), at.acts.known()) == (1, ())


async def test_a_grant_without_the_preview_of_this_request_is_refused(tmp_path: Path, address: str) -> None:
    async with pit(tmp_path, address) as at:
        answer = await at.answer(1, grant=True, token="f" * 32, confirm=CONFIRM)
        assert (answer.status_code, answer.json()["detail"]) == (
            409,
            "request 1 is not the one of the preview: look at it again",
        )
        missing = await at.answer(7, grant=True, confirm=CONFIRM)
        assert missing.json() == {"detail": "table t7 has no open request 7; open: 1"}
        assert (at.requests(), at.acts.known()) == (1, ())


async def test_a_request_is_declined_without_a_secret(tmp_path: Path, address: str) -> None:
    async with pit(tmp_path, address) as at:
        seen = await at.preview(1, "false")
        assert (seen["confirm"], seen["sentences"]) == (
            None,
            ["Request 1 is declined: nothing changes at the table"],
        )
        answer = await at.answer(1, grant=False, token=seen["token"])
        assert (answer.status_code, answer.json()["command"], at.requests()) == (200, "decline", 0)


async def test_the_table_s_refusal_is_told_with_its_reason(tmp_path: Path, address: str) -> None:
    async with pit(tmp_path, address) as at:
        token = (await at.preview(1))["token"]
        await at.answer(1, grant=False, token=token)
        answer = await at.answer(1, grant=True, token=token, confirm=CONFIRM)
        assert answer.status_code == 409
        assert answer.json()["detail"].startswith("the table refuses: request 1 ")
        assert [sent.state for sent in at.acts.known()] == ["refused", "done"]


async def test_a_message_and_a_closing_reach_the_table(tmp_path: Path, address: str) -> None:
    async with pit(tmp_path, address) as at:
        answer = await at.browser.post(f"{TABLE}/messages", json={"why": "call the pit"})
        assert (answer.status_code, answer.json()["state"]) == (200, "done")
        at.look()  # the message has used the nonce
        assert (await at.browser.post(f"{TABLE}/closing", json=WHY)).status_code == 200
        at.look()
        texts = [alarm.text for alarm in at.house.core.at.table.state.shift.alarms.open]
        assert "The floor says: call the pit (Supervisor)" in texts
        for command in ("message", "close"):
            form = await at.browser.get(f"/floor/forms/tables/t7/{command}")
            assert "POST /api/v1/floor/tables/t7/" in form.text


@pytest.mark.parametrize("role", ["supervisor", "technician"])
async def test_an_alert_of_the_table_itself_is_acknowledged_there(
    tmp_path: Path, address: str, role: str
) -> None:
    async with pit(tmp_path, address, role) as at:
        await at.acts.send(at.house.command("message", "m1"))
        at.look()
        alarms = at.house.core.at.table.state.shift.alarms
        number = alarms.open[0].number
        form = await at.browser.get(f"/floor/forms/tables/t7/own-alert/{number}")
        assert f"POST {TABLE}/own-alerts/{number}/acknowledgement" in form.text
        path = f"{TABLE}/own-alerts/{number}/acknowledgement"
        assert (await at.browser.post(path, json=WHY)).status_code == 200
        assert number not in {alarm.number for alarm in alarms.open}
        at.look()
        again = await at.browser.post(path, json=WHY)
        assert (again.status_code, again.json()) == (409, {"detail": f"table t7 has no open alert {number}"})


async def test_a_command_without_an_answer_is_unknown_and_is_sent_again(tmp_path: Path, address: str) -> None:
    async with pit(tmp_path, address, relay=False) as at:
        answer = await at.browser.post(f"{TABLE}/messages", json={"why": "call the pit"})
        sent = answer.json()
        assert (answer.status_code, sent["state"]) == (202, "unknown")
        page = (await at.browser.get("/floor/tables/t7")).text
        assert "No answer: it may or may not have been done" in page
        again = f"{TABLE}/commands/{sent['id']}/again"
        assert f"POST {again}" in page
        async with at.house.core.client("uplink") as uplink, relaying(address, uplink):
            answer = await at.browser.post(again)
            assert (answer.status_code, answer.json()["state"], answer.json()["id"]) == (
                200,
                "done",
                sent["id"],
            )
        assert at.house.commands() == 1
        listed = (await at.browser.get(f"{TABLE}/commands")).json()
        assert [(one["id"], one["state"]) for one in listed] == [(sent["id"], "done")]
        unknown = await at.browser.post(f"{TABLE}/commands/none/again")
        assert unknown.status_code == 409


@pytest.mark.parametrize("role", ["", *ROLES])
async def test_only_supervisors_command_and_only_people_of_the_floor_see_it(
    tmp_path: Path, role: str
) -> None:
    refused = 403 if role else 401
    async with floor(tmp_path, role) as browser:
        for path, more in (("messages", {}), ("closing", {}), ("requests/1/answer", {"grant": False})):
            answer = await browser.post(f"/api/v1/floor/tables/bj-001/{path}", json=WHY | more)
            assert answer.status_code == (409 if role == "supervisor" else refused), answer.text
        for path in ("message", "close"):
            answer = await browser.get(f"/floor/forms/tables/bj-001/{path}")
            assert answer.status_code == (200 if role == "supervisor" else refused)
        page = await browser.get("/floor/tables/bj-001")
        assert ("Send a message" in page.text) == (role == "supervisor")


async def test_nothing_is_sent_while_the_servers_are_away(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address) as house:
        picture = picture_of(house)
        async with floor(tmp_path / "floor", "supervisor", picture=picture) as browser:
            answer = await browser.post(f"{TABLE}/messages", json={"why": "call the pit"})
    assert (answer.status_code, answer.json()) == (503, {"detail": f"nothing was sent: {AWAY}"})


async def test_a_refused_body_is_not_repeated_in_the_answer(tmp_path: Path) -> None:
    async with floor(tmp_path, "supervisor") as browser:
        body = {"grant": "yes", "why": "seen", "confirm": CONFIRM}
        answer = await browser.post("/api/v1/floor/tables/bj-001/requests/1/answer", json=body)
    assert answer.status_code == 422
    assert PASSWORD not in answer.text
    assert '"yes"' not in answer.text
