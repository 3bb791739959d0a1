"""`tableside table bridge` as a process before a receiver of webhooks that answers badly, hangs, or is
away: it gets each event in order, and the same event again until it has taken it."""

import base64
import hashlib
import hmac
import signal
import time
from pathlib import Path

import pytest

from controller.bridge import webhook
from controller.bridge.events import Event, TableName
from controller.bridge.receiver import NotDelivered
from controller.bridge.webhook import WebhookReceiver, new_secret
from controller.config.bridge import WebhookSection
from tests.controller.bridge.bridged_table import ROUND, ROWS, BridgedTable, head
from tests.fixtures.hook_server import Behaviour, HookServer
from tests.fixtures.waiting import come_true

pytestmark = pytest.mark.usefixtures("fork_server")

SECTION = """
[bridge]
table = "bj-7"
[bridge.webhooks.rating]
url = "http://127.0.0.1:{port}/events"
secret = "rating.secret"
"""
RECEIVER = "webhook-rating"


class Stage:
    """A table, and a receiver of its events."""

    def __init__(self, folder: Path) -> None:
        self.server = HookServer()
        self.table = BridgedTable(folder, SECTION.format(port=self.server.port))
        self.secret = new_secret()
        path = folder / "rating.secret"
        path.write_text(f"{self.secret}\n")
        path.chmod(0o600)

    def taken(self) -> list[str]:
        """The ids of events that are rows and were taken, in order."""
        events = (request.event for request in self.server.taken)
        return [event["id"] for event in events if event["event"] in ROWS]

    async def begins(self) -> int:
        """The row after which events are sent."""
        await come_true(lambda: self.table.place(RECEIVER)["row"])
        return int(self.table.place(RECEIVER)["row"])

    async def has_all(self, after: int) -> None:
        wanted = self.table.events(after)
        await come_true(lambda: len(self.taken()) >= len(wanted))
        assert self.taken() == wanted


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


async def test_every_request_is_signed_with_its_time(stage: Stage) -> None:
    async with stage.table.core() as core, stage.server.serving():
        with stage.table.bridge():
            begun = await stage.begins()
            core.play(ROUND)
            await stage.has_all(begun)
    key = base64.b64decode(stage.secret.removeprefix("whsec_"))
    for request in stage.server.requests:
        headers = request.headers
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + request.body
        digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{digest}"
        assert headers["webhook-id"] == request.event["id"]
        assert abs(int(headers["webhook-timestamp"]) - time.time()) < 600
        assert headers["content-type"] == "application/json"


@pytest.mark.parametrize("behaviour", ["500", "410", "301", "drop"])
async def test_a_receiver_that_refuses_gets_the_same_event_again(stage: Stage, behaviour: Behaviour) -> None:
    async with stage.table.core() as core, stage.server.serving():
        with stage.table.bridge() as bridge:
            begun = await stage.begins()
            await come_true(lambda: stage.server.taken)
            stage.server.behaviour = behaviour
            count = len(stage.server.requests)
            core.play(f"{ROUND} {ROUND}")
            await bridge.says("webhook-rating: http://127.0.0.1")
            await come_true(lambda: len(stage.server.requests) >= count + 3)
            refused = [request.event["id"] for request in stage.server.requests[count:]]
            assert len(set(refused)) < len(refused), "the same event was sent again"
            stage.server.behaviour = "200"
            await stage.has_all(begun)


@pytest.mark.parametrize("behaviour", ["hang", "drip"])
async def test_a_receiver_that_does_not_answer_has_not_got_the_event(
    stage: Stage, behaviour: Behaviour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "LIMIT", 0.2)
    url = f"http://127.0.0.1:{stage.server.port}/"
    section = WebhookSection(url=url, secret=str(stage.table.folder / "rating.secret"))
    receiver = WebhookReceiver("rating", section, TableName("bj-7", "Table 7"))
    event = Event("1-1", "alert", "1", 1, "00", 0.0, {})
    async with stage.server.serving(), receiver.connection() as connection:
        stage.server.behaviour = behaviour
        with pytest.raises(NotDelivered, match="has not answered within"):
            await connection.send(event)


async def test_a_killed_bridge_goes_on_with_the_event_that_was_not_taken(stage: Stage) -> None:
    async with stage.table.core() as core:
        with stage.table.bridge() as bridge:
            begun = await stage.begins()
            core.play(f"{ROUND} {ROUND}")
            await bridge.says("webhook-rating: http://127.0.0.1")
            bridge.process.send_signal(signal.SIGKILL)
        core.play(ROUND)
        async with stage.server.serving():
            with stage.table.bridge():
                await stage.has_all(begun)
                await come_true(lambda: stage.table.place(RECEIVER)["row"] == head(core))
