"""Each row of the permissions, tried at a real server with the right credentials and with others."""

import asyncio
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.js.errors import NotFoundError

from controller.floor.authority.permissions import (
    API,
    BUCKET,
    TABLE_SUBSCRIPTIONS,
    Permissions,
    floor_permissions,
    preparing_permissions,
    progressive_permissions,
    table_permissions,
)
from controller.floor.connection import ConnectionEndedError, Servers, connection
from controller.floor.streams import DIRECTORY, FLOOR_LOG, JOURNAL, PROGRESSIVE_IN, PROGRESSIVE_LOG, STATUS
from tests.fixtures.floor_authority import LEVEL, Watched, guarded, watched
from tests.fixtures.flushing import flushed
from tests.fixtures.waiting import PATIENCE

STREAMS = (JOURNAL, STATUS, FLOOR_LOG, DIRECTORY, PROGRESSIVE_IN, PROGRESSIVE_LOG, BUCKET)
CHANGES = ("CREATE", "UPDATE", "DELETE", "PURGE", "MSG.DELETE", "RESTORE", "SNAPSHOT", "LEADER.STEPDOWN")
DESIGN = Permissions(
    publish=(
        "ts.house.journal.{{name()}}.*",
        "ts.house.status.{{name()}}",
        "ts.house.progressive.in.*.{{name()}}",
        "ts.house.resume.{{name()}}",
        "$JS.API.DIRECT.GET.JOURNAL.ts.house.journal.{{name()}}.*",
        "$JS.API.DIRECT.GET.DIRECTORY.ts.house.directory.{{name()}}",
    ),
    subscribe=(
        "_INBOX_{{name()}}.>",
        "ts.house.command.{{name()}}.*",
        "ts.house.resend.{{name()}}",
        "ts.house.ack.{{name()}}",
        "ts.house.directory.{{name()}}",
        "ts.house.progressive.amount.*",
    ),
    answers=True,
    subscriptions=20,
)
OF_ALL_TABLES = "ts.house.progressive.amount.*"


def example(subject: str, table: str = "") -> str:
    """One subject of those that a row allows."""
    return subject.replace("{{name()}}", table).replace("*", "x1").replace(">", "x2")


async def refused(client: Watched, publish: list[str], subscribe: list[str]) -> None:
    """Fails for each subject that the server lets pass."""
    asked, found = [*publish, *subscribe], await client.refusals(publish, subscribe)
    assert [subject for subject in asked if subject not in found] == []


def test_the_template_of_tables_is_that_of_the_design() -> None:
    assert table_permissions("house") == DESIGN
    claims = DESIGN.claims()
    assert (claims["resp"]["max"], claims["subs"], claims["payload"]) == (1, TABLE_SUBSCRIPTIONS, 1 << 20)


async def test_a_table_may_do_each_row_of_the_template_under_its_own_name(tmp_path: Path) -> None:
    async with guarded(tmp_path) as server, watched(server.as_table("bj-1")) as own:
        publish = [example(row, "bj-1") for row in DESIGN.publish]
        subscribe = [row.replace("{{name()}}", "bj-1") for row in DESIGN.subscribe]
        assert await own.refusals(publish, subscribe) == []


async def test_each_row_of_the_template_is_refused_to_another_table(tmp_path: Path) -> None:
    others = [row for row in DESIGN.subscribe if row != OF_ALL_TABLES]
    async with guarded(tmp_path) as server, watched(server.as_table("bj-2")) as other:
        await refused(
            other,
            [example(row, "bj-1") for row in DESIGN.publish],
            [
                *(row.replace("{{name()}}", "bj-1") for row in others),
                *(row.replace("{{name()}}", "*") for row in others if not row.startswith("_INBOX")),
            ],
        )


async def test_a_table_may_touch_no_stream_no_consumer_and_no_bucket(tmp_path: Path) -> None:
    calls = [f"{API}.INFO", f"{API}.STREAM.NAMES", f"{API}.STREAM.LIST"]
    for stream in STREAMS:
        calls += [f"{API}.STREAM.{kind}.{stream}" for kind in (*CHANGES, "INFO", "MSG.GET")]
        calls += [f"{API}.CONSUMER.{kind}.{stream}" for kind in ("CREATE", "NAMES", "LIST")]
        calls += [f"{API}.CONSUMER.{kind}.{stream}.x" for kind in ("CREATE", "DELETE", "INFO", "MSG.NEXT")]
        calls += [f"{API}.DIRECT.GET.{stream}", f"{API}.DIRECT.GET.{stream}.ts.house.journal.bj-1.x1"]
    buckets = ["$KV.LEASE.floor", f"$KV.LEASE.progressive-{LEVEL}"]
    money = [f"ts.house.progressive.{kind}.{LEVEL}" for kind in ("log", "amount", "admin")]
    floor = ["ts.house.floor.log", "ts.house.ack.bj-2", "ts.house.command.bj-2.close", "$JS.FC.x", "other"]
    async with guarded(tmp_path) as server, watched(server.as_table("bj-2")) as table:
        heard = [
            "$SYS.>",
            ">",
            "ts.>",
            "ts.house.journal.*.*",
            "_INBOX.>",
            f"ts.house.progressive.log.{LEVEL}",
        ]
        await refused(table, [*calls, *buckets, *money, *floor], heard)


@pytest.mark.parametrize("name", ["floor", "prepare", f"progressive-{LEVEL}", "sys"])
async def test_no_name_of_a_table_gives_it_the_answers_of_a_program(name: str, tmp_path: Path) -> None:
    async with guarded(tmp_path) as server, watched(server.as_table(name)) as table:
        inboxes = ("_INBOX.floor.>", "_INBOX.prepare.>", f"_INBOX.progressive.{LEVEL}.>", "_INBOX.>")
        await refused(table, [], list(inboxes))


async def test_a_table_has_twenty_subscriptions_and_no_more(tmp_path: Path) -> None:
    async with guarded(tmp_path) as server:
        async with connection(server.as_table("bj-1")) as client:
            await _subscribe(client, TABLE_SUBSCRIPTIONS)
            assert client.is_connected
        with pytest.raises(ConnectionEndedError, match="maximum subscriptions exceeded"):
            await _with_subscriptions(server.as_table("bj-1"), TABLE_SUBSCRIPTIONS + 1)


async def _with_subscriptions(servers: Servers, number: int) -> None:
    async with connection(servers) as client:
        await _subscribe(client, number)
        await asyncio.sleep(PATIENCE)


async def _subscribe(client: Client, number: int) -> None:
    for _ in range(number):
        await client.subscribe("ts.house.ack.bj-1")
    await client.flush()


async def test_a_table_answers_a_request_once(tmp_path: Path) -> None:
    async with (
        guarded(tmp_path) as server,
        watched(server.as_table("bj-1")) as table,
        connection(server.as_floor()) as floor,
    ):
        asked = await table.client.subscribe("ts.house.resend.bj-1")
        await flushed(table.client)
        answers = await floor.subscribe("_INBOX.floor.answers")
        await floor.publish("ts.house.resend.bj-1", b"{}", reply="_INBOX.floor.answers")
        request = await asked.next_msg(PATIENCE)
        await request.respond(b"1")
        assert (await answers.next_msg(PATIENCE)).data == b"1"
        assert await table.refusals([request.reply]) == [request.reply]


@pytest.mark.parametrize("stream", STREAMS)
async def test_only_preparing_changes_a_stream(stream: str, tmp_path: Path) -> None:
    changes = [f"{API}.STREAM.{kind}.{stream}" for kind in CHANGES]
    async with guarded(tmp_path) as server:
        for servers in (server.as_floor(), server.as_progressive()):
            async with watched(servers) as program:
                await refused(program, changes, [])


async def test_the_floor_writes_nothing_of_a_linked_progressive_and_nothing_of_a_table(
    tmp_path: Path,
) -> None:
    money = [f"ts.house.progressive.log.{LEVEL}", f"ts.house.progressive.amount.{LEVEL}"]
    lease = f"$KV.LEASE.progressive-{LEVEL}"
    tables = ["ts.house.journal.bj-1.x", "ts.house.status.bj-1", f"ts.house.progressive.in.{LEVEL}.bj-1"]
    async with guarded(tmp_path) as server, watched(server.as_floor()) as floor:
        await refused(floor, [*money, lease, *tables], [">", "_INBOX_bj-1.>"])


async def test_a_linked_progressive_writes_its_own_level_only(tmp_path: Path) -> None:
    other = [f"ts.house.progressive.{kind}.gold" for kind in ("log", "amount")]
    inputs = [f"ts.house.progressive.in.{LEVEL}.bj-1", f"ts.house.progressive.admin.{LEVEL}"]
    floor = ["ts.house.floor.log", "$KV.LEASE.floor", "$KV.LEASE.progressive-gold", "ts.house.ack.bj-1"]
    async with guarded(tmp_path) as server, watched(server.as_progressive()) as progressive:
        await refused(progressive, [*other, *inputs, *floor], [">", "_INBOX.floor.>", "ts.house.resume.*"])
        own = [example(row, LEVEL) for row in progressive_permissions("house").publish[:3]]
        assert await progressive.refusals(own) == []


async def test_preparing_sends_nothing_to_tables_and_reads_no_message_of_theirs(tmp_path: Path) -> None:
    async with guarded(tmp_path) as server, watched(server.as_preparing()) as preparing:
        money = f"ts.house.progressive.log.{LEVEL}"
        read = [
            f"{API}.STREAM.MSG.GET.{stream}" for stream in STREAMS if stream not in (PROGRESSIVE_LOG, BUCKET)
        ]
        messages = ["ts.house.command.bj-1.close", "ts.house.floor.log", money, *read]
        await refused(preparing, messages, ["ts.>", "_INBOX.floor.>"])


@pytest.mark.parametrize("permissions", [floor_permissions("house"), preparing_permissions()])
def test_no_program_may_publish_everything(permissions: Permissions) -> None:
    assert not [row for row in permissions.publish if row.startswith((">", "*", "ts.>", "$JS.>"))]


async def test_a_table_reads_its_own_last_batch(tmp_path: Path) -> None:
    own, other = "ts.house.journal.bj-1.x1", "ts.house.journal.bj-1.x2"
    async with guarded(tmp_path) as server, connection(server.as_table("bj-1")) as client:
        stream = client.jetstream()
        await stream.publish(own, b"batch", stream=JOURNAL)
        assert (await stream.get_last_msg(JOURNAL, own, direct=True)).data == b"batch"
        with pytest.raises(NotFoundError):
            await stream.get_last_msg(JOURNAL, other, direct=True)
