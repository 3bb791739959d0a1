"""The instance of the floor that may act: one of two, with everything that the other one wrote."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from socket import gethostname

import pytest

from controller.floor.approvals.acts import ANSWER_DUE, FloorActs, NotActing
from controller.floor.approvals.reports import FLOOR_LOG_CAUSE, ActReports
from controller.floor.approvals.standing import ACTS
from controller.floor.connection import Servers, connection
from controller.floor.floor_log import FILE
from controller.floor.nats_server import nats_server
from controller.floor.streams import Deployment, prepare
from controller.floor.tables.tile import TileAlert
from controller.journal.history import History
from controller.journal.journal import Journal
from tests.controller.floor.approvals.acting import (
    acting,
    instance,
    look_again,
    page_of,
    picture_of,
    until_acting,
)
from tests.controller.floor.approvals.house import FLOOR_KEY, open_house, relaying
from tests.fixtures.waiting import come_true


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        async with connection(Servers((found,), "prepare", "_INBOX_prepare")) as client:
            await prepare(client.jetstream(), Deployment("house"))
        yield found


def recorded(folder: Path) -> list[object]:
    rows = History(folder / FILE).rows()
    bodies = [json.loads(row.content.body) for row in rows if row.content.kind == "floor log"]
    return [entry["body"]["by"] for entry in bodies]


async def test_one_of_two_instances_acts_and_the_other_follows_with_all_entries(
    tmp_path: Path, address: str
) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    async with instance(address, second) as later:
        await until_acting(later)
        await later.record("test", {"by": "two"})
        async with instance(address, first) as waiting:
            with pytest.raises(NotActing, match="another instance of the floor acts"):
                await waiting.record("test", {"by": "one"})
            await later.record("test", {"by": "two again"})
    async with instance(address, first) as waiting:
        await until_acting(waiting)
        await waiting.record("test", {"by": "one"})
    assert recorded(first) == ["two", "two again", "one"]


async def test_an_instance_whose_journal_contradicts_the_stream_does_not_act(
    tmp_path: Path, address: str
) -> None:
    folder, other = tmp_path / "one", tmp_path / "two"
    async with instance(address, folder) as acts:
        await until_acting(acts)
        await acts.record("test", {"by": "one"})
    async with nats_server(tmp_path / "others") as elsewhere:
        async with connection(Servers((elsewhere,), "prepare", "_INBOX_prepare")) as client:
            await prepare(client.jetstream(), Deployment("house"))
        async with instance(elsewhere, other) as acts:
            await until_acting(acts)
            await acts.record("test", {"by": "another one"})
    async with open_house(tmp_path, address) as house, acting(house.client, other) as acts:
        await come_true(lambda: acts.fault)
        with pytest.raises(NotActing, match="different entries 1"):
            await acts.record("test", {})
        picture = picture_of(house)
        ActReports(picture, acts, lambda: 1000.0).look()
        (alert,) = picture.own_alerts
        assert (alert.kind, alert.severity) == (FLOOR_LOG_CAUSE.kind, "critical")


async def test_a_journal_that_another_process_has_open_is_named_and_taken_later(
    tmp_path: Path, address: str
) -> None:
    (tmp_path / "one").mkdir()
    with Journal(tmp_path / "one" / FILE, None, FLOOR_KEY):
        async with instance(address, tmp_path / "one") as acts:
            await come_true(lambda: FILE in acts.fault)
            with pytest.raises(NotActing, match=FILE):
                await acts.record("test", {})
    async with instance(address, tmp_path / "one") as acts:
        await until_acting(acts)


async def test_a_command_without_an_answer_is_an_alert_until_the_status_settles_it(
    tmp_path: Path, address: str
) -> None:
    now = [1000.0]
    async with (
        open_house(tmp_path, address, relay=False) as house,
        acting(house.client, tmp_path / "one", lambda: now[0]) as acts,
    ):
        await until_acting(acts)
        picture = picture_of(house)
        reports = ActReports(picture, acts, lambda: now[0])
        sent = await acts.send(house.command("message", issued=now[0]))
        assert (sent.state, unanswered(reports, picture.tiles["t7"].alerts)) == ("unknown", [])
        now[0] += ANSWER_DUE
        reports.look()
        (alert,) = kinds(picture.tiles["t7"].alerts)
        assert "“message” of Flo" in alert.text
        async with house.core.client("uplink") as uplink, relaying(address, uplink):
            assert (await acts.again("t7", "c1")).state == "done"
        reports.look()
        assert [one.ended for one in kinds(picture.tiles["t7"].alerts)] == [True]


async def test_the_signed_status_settles_a_command_whose_reply_was_lost(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address) as house, acting(house.client, tmp_path / "one") as acts:
        await until_acting(acts)
        picture = picture_of(house)
        await acts.send(house.command("message"))
        assert [sent.by_status for sent in acts.known()] == [False]
        look_again(picture, house)
        await acts.settle(lambda table: picture.status(table).answered)  # type: ignore[union-attr]
        assert [(sent.state, sent.by_status) for sent in acts.known()] == [("done", True)]


async def test_the_instance_that_follows_knows_each_command_and_what_became_of_it(
    tmp_path: Path, address: str
) -> None:
    now = [1000.0]
    async with (
        open_house(tmp_path, address, relay=False) as house,
        acting(house.client, tmp_path / "one", lambda: now[0]) as acts,
    ):
        await until_acting(acts)
        picture = picture_of(house)
        async with instance(address, tmp_path / "two", lambda: now[0]) as follows:
            reports = ActReports(picture, follows, lambda: now[0])
            await acts.send(house.command("message", issued=now[0]))
            await come_true(lambda: states(follows) == states(acts) == [("c1", "unknown")])
            now[0] += ANSWER_DUE
            reports.look()
            assert [one.ended for one in kinds(picture.tiles["t7"].alerts)] == [False]
            version = follows.version
            async with house.core.client("uplink") as uplink, relaying(address, uplink):
                assert (await acts.again("t7", "c1")).state == "done"
                assert (await acts.send(house.command("close", "c2"))).state == "done"
            await come_true(lambda: states(follows) == states(acts) == [("c2", "done"), ("c1", "done")])
            assert follows.version != version
            reports.look()
            assert [one.ended for one in kinds(picture.tiles["t7"].alerts)] == [True]
            with pytest.raises(NotActing, match="another instance"):
                await follows.again("t7", "c1")


async def test_an_instance_that_acted_before_takes_over_what_the_other_one_did(
    tmp_path: Path, address: str
) -> None:
    async with (
        open_house(tmp_path, address, relay=False) as house,
        instance(address, tmp_path / "one") as one,
    ):
        await until_acting(one)
        await one.send(house.command("message"))
        one._on_lease(False)  # as when it could not renew its lease
        async with house.core.client("uplink") as uplink, relaying(address, uplink):
            async with acting(house.client, tmp_path / "two") as two:
                two._on_lease(True)
                await until_acting(two)
                await two.again("t7", "c1")
            await come_true(lambda: states(one) == [("c1", "done")])


async def test_an_instance_that_follows_says_which_one_acts_until_it_acts_itself(
    tmp_path: Path, address: str
) -> None:
    async with AsyncExitStack() as later:
        async with instance(address, tmp_path / "one") as one:
            await until_acting(one)
            assert one.standing == ACTS
            two = await later.enter_async_context(instance(address, tmp_path / "two"))
            await come_true(lambda: two.standing.host)
            said = two.standing
            assert (said.acts, said.host, said.page) == (False, gethostname(), page_of(tmp_path / "one"))
            assert said.why == f"another instance of the floor acts, the one on {gethostname()}"
        await come_true(lambda: not two.standing.host)
        await come_true(lambda: two.standing == ACTS)


def states(acts: FloorActs) -> list[tuple[str, str]]:
    return [(sent.command.id, sent.state) for sent in acts.known()]


def kinds(alerts: tuple[TileAlert, ...]) -> list[TileAlert]:
    return [alert for alert in alerts if alert.kind == "no answer"]


def unanswered(reports: ActReports, alerts: tuple[TileAlert, ...]) -> list[TileAlert]:
    reports.look()
    return kinds(alerts)
