"""The pages of an instance that only follows: they show everything, and offer what can be done there."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from controller.floor.approvals.sender import SentCommand
from controller.floor.approvals.standing import ACTS, Standing
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture
from controller.journal.signing import Signer
from controller.property.commands import Command
from controller.property.signed import SignedMessage
from tests.controller.floor.pages.test_access import floor
from tests.fixtures.floor_acts import AwayActs
from tests.fixtures.floor_pages import pits_of, status, troubles

WHY = "another instance of the floor acts, the one on pit-a"
FOLLOWS = Standing(acts=False, host="pit-a", page="https://pit-a.example:8443/", why=WHY)
NOBODY = Standing(acts=False, why="the floor's servers do not answer")
TABLE = "/floor/tables/bj-001"
FORMS = (
    "/floor/forms/tables/bj-001/request/4/grant",
    "/floor/forms/tables/bj-001/message",
    "/floor/forms/tables/bj-001/close",
    "/floor/forms/tables/bj-001/own-alert/9",
)
COMMANDS = ("Grant: ", "Send a message", "Close the table", "Send again", "own-alert/9")


class SentActs(AwayActs):
    """The floor has sent a command, whose outcome is unknown."""

    def known(self) -> tuple[SentCommand, ...]:
        fields: dict[str, Any] = {
            "v": 1,
            "id": "c1",
            "table": "bj-001",
            "epoch": "0" * 16,
            "command": "message",
        }
        more = {
            "about": {"nonce": "0" * 32},
            "text": "call the pit",
            "who": "Ann",
            "role": "supervisor",
            "issued": 1.0,
        }
        command = Command.read(json.dumps(fields | more).encode())
        message = SignedMessage.make("ts", command.payload, Signer(bytes(32)))
        return (SentCommand(command, message, "unknown"),)


def troubled() -> FloorPicture:
    """A table that asks for something, with an alert of its own and one of the floor."""
    now = time.time()
    picture = FloorPicture(pits_of(4), now)
    said = {name: value for trouble in troubles(now)[:2] for name, value in trouble.items()}
    picture.take_status("bj-001", status(1, now, nonce="0" * 32, **said), now, now)
    picture.report(FloorCause("refused", "bj-001"), "A message was not signed with its key", now)
    return picture


@pytest.mark.parametrize("standing", [ACTS, FOLLOWS, NOBODY])
async def test_a_page_offers_commands_while_its_instance_acts_only(
    tmp_path: Path, standing: Standing
) -> None:
    acts = SentActs(standing=standing)
    async with floor(tmp_path, "supervisor", picture=troubled(), acts=acts) as browser:
        page = (await browser.get(TABLE)).text
        assert [offered for offered in COMMANDS if offered in page] == (
            list(COMMANDS) if standing.acts else []
        )
        assert "Acknowledge: A message was not signed with its key" in page
        assert "Void round 41: a card fell off the table" in page
        assert "call the pit" in page
        forms = [await browser.get(path) for path in FORMS]
        assert {form.status_code for form in forms} == {200 if standing.acts else 404}
        if not standing.acts:
            assert {form.json()["detail"] for form in forms} == {f"nothing can be sent: {standing.why}"}
        assert (await browser.get("/floor/forms/tables/bj-001/alert/1")).status_code == 200
        assert (await browser.get("/api/v1/floor/instance")).json() == {
            "acts": standing.acts,
            "host": standing.host,
            "page": standing.page,
            "why": standing.why,
        }


@pytest.mark.parametrize("path", ["/floor", "/floor?wall=1", TABLE])
async def test_a_page_says_at_its_top_which_instance_acts(tmp_path: Path, path: str) -> None:
    acts = AwayActs(standing=FOLLOWS)
    async with floor(tmp_path, "auditor", picture=troubled(), acts=acts) as browser:
        page = (await browser.get(path)).text
        assert "This instance of the floor follows. The one on pit-a acts." in page
        assert '<a href="https://pit-a.example:8443/floor">' in page
        first = 'id="table-name"' if path == TABLE else 'id="tools"'
        assert page.index("pit-a acts") < page.index(first)
        acts.standing = NOBODY
        page = (await browser.get(path)).text
        assert "cannot send commands to tables now:</b> the floor&#39;s servers do not answer" in page
        acts.standing = ACTS
        assert 'class="instance"' not in (await browser.get(path)).text


async def test_an_alert_of_the_floor_is_acknowledged_where_its_instance_follows(tmp_path: Path) -> None:
    acts, picture = AwayActs(standing=FOLLOWS), troubled()
    async with floor(tmp_path, "technician", picture=picture, acts=acts) as browser:
        answer = await browser.post(f"/api/v1{TABLE}/alerts/1/acknowledgement", json={"why": "key replaced"})
        assert answer.status_code == 204, answer.text
        assert "key replaced" in (await browser.get(TABLE)).text
    assert [kind for kind, _ in acts.written] == ["acknowledgement"]
