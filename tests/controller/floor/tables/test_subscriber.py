"""Statuses on their way from tables to the floor, over a real server."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client

from controller.floor.connection import Servers, connection
from controller.floor.day_file import JournalName
from controller.floor.nats_server import nats_server
from controller.floor.streams import STATUS, Deployment, prepare
from controller.floor.tables.picture import FloorPicture
from controller.floor.tables.subscriber import StatusSubscriber
from controller.floor.tables.tile import Tile
from controller.journal.signing import Signer
from controller.property.signed import SIGNATURE, SignedMessage
from controller.property.status import payload_of
from controller.property.subjects import PropertySubjects
from tests.controller.floor.tables.statuses import EPOCH, status, uplink
from tests.fixtures.flushing import flushed
from tests.fixtures.waiting import come_true

SUBJECTS = PropertySubjects("house")
KEYS = {"bj-1": Signer(bytes(range(32))), "bj-2": Signer(bytes(range(1, 33)))}
STRANGER = Signer(bytes(range(2, 34)))


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        async with connected(found) as client:
            await prepare(client.jetstream(), Deployment("house"))
        yield found


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Client]:
    async with connection(Servers((address,), "x", "_INBOX_x")) as client:
        yield client


class Table:
    """Publishes statuses as an uplink does."""

    def __init__(self, client: Client, name: str = "bj-1") -> None:
        self.client, self.name, self.signer = client, name, KEYS[name]

    async def say(self, signer: Signer | None = None, at: float | None = None, **fields: Any) -> None:
        said = status(time.time() if at is None else at, **fields)
        await self.send(SignedMessage.make(self.subject, payload_of(said), signer or self.signer))

    async def store(self, signer: Signer | None = None, at: float | None = None, **fields: Any) -> None:
        """Return when the stream has the status."""
        said = status(time.time() if at is None else at, **fields)
        message = SignedMessage.make(self.subject, payload_of(said), signer or self.signer)
        headers = message.headers()
        await self.client.jetstream().publish(self.subject, message.payload, stream=STATUS, headers=headers)

    async def send(self, message: SignedMessage, subject: str = "") -> None:
        await self.publish(message.payload, message.headers(), subject)

    async def publish(self, payload: bytes, headers: dict[str, str] | None, subject: str = "") -> None:
        await self.client.publish(subject or self.subject, payload, headers=headers)
        await flushed(self.client)

    @property
    def subject(self) -> str:
        return SUBJECTS.status(self.name)


class Floor:
    """A floor that has admitted `tables`."""

    def __init__(self, *tables: str) -> None:
        self.picture = FloorPicture({"A": ("bj-1", "bj-2")}, time.time())
        self.keys = {table: {KEYS[table].public} for table in tables}
        for table in tables:
            self.picture.admit(JournalName(table, EPOCH), time.time())
        self.changes = 0

    def change(self) -> None:
        self.changes += 1

    @asynccontextmanager
    async def watching(self, address: str) -> AsyncIterator[StatusSubscriber]:
        async with connected(address) as client:
            subscriber = StatusSubscriber(
                client,
                SUBJECTS,
                self.picture,
                lambda table: self.keys.get(table, set()),
                time.time,
                self.change,
            )
            task = asyncio.create_task(subscriber.run())
            await flushed(client)
            try:
                yield subscriber
            finally:
                task.cancel()
                await asyncio.wait({task})
                if not task.cancelled() and (error := task.exception()):
                    raise error

    def tile(self, table: str = "bj-1") -> Tile:
        return self.picture.tiles[table]

    def refusals(self, table: str = "bj-1") -> list[tuple[str, int]]:
        alerts = self.picture.alerts.of_table(table)
        return [(alert.text, alert.count) for alert in alerts if alert.cause.kind == "refused"]


@asynccontextmanager
async def begun(address: str, *tables: str) -> AsyncIterator[tuple[Floor, StatusSubscriber, Table]]:
    """A floor that has read a first status of bj-1, so that it is known to listen."""
    floor = Floor(*(tables or ("bj-1", "bj-2")))
    async with connected(address) as client, floor.watching(address) as subscriber:
        table = Table(client)
        async with asyncio.timeout(30):
            while floor.tile().dealer != "Ada":
                await table.say(dealer="Ada")
                await asyncio.sleep(0.05)
        yield floor, subscriber, table


async def test_a_status_reaches_the_tile_of_its_table(address: str) -> None:
    async with begun(address) as (floor, subscriber, table):
        await table.say(dealer="Bob", players=3)
        await come_true(lambda: floor.tile().dealer == "Bob")
        other = Table(table.client, "bj-2")
        await other.say(dealer="Cleo")
        await come_true(lambda: floor.tile("bj-2").dealer == "Cleo")
        assert (floor.tile().condition, floor.tile().players) == ("open", 3)
        assert (subscriber.refused, floor.refusals()) == (0, [])
        assert floor.changes >= 3


async def test_a_status_that_another_key_signed_is_refused_and_reported(address: str) -> None:
    async with begun(address) as (floor, subscriber, table):
        for signer in (STRANGER, KEYS["bj-2"]):
            await table.say(signer, dealer="Eve")
        await come_true(lambda: subscriber.refused == 2)
        assert floor.tile().dealer == "Ada"
        ((why, count),) = floor.refusals()
        assert (count, "which is not pinned" in why) == (2, True)
        assert floor.tile().severity == "critical"


async def test_a_changed_status_is_refused(address: str) -> None:
    async with begun(address) as (floor, subscriber, table):
        good = SignedMessage.make(table.subject, payload_of(status(time.time(), dealer="Bob")), table.signer)
        await table.publish(good.payload.replace(b"Bob", b"Eve"), good.headers())
        await come_true(lambda: subscriber.refused == 1)
        assert floor.tile().dealer == "Ada"
        assert "the signature is wrong" in floor.refusals()[0][0]


async def test_a_status_under_the_subject_of_another_table_is_refused(address: str) -> None:
    async with begun(address) as (floor, subscriber, table):
        floor.keys["bj-2"] = floor.keys["bj-1"]
        other = SUBJECTS.status("bj-2")
        good = SignedMessage.make(table.subject, payload_of(status(time.time(), dealer="Eve")), table.signer)
        await table.send(good, other)
        await come_true(lambda: subscriber.refused == 1)
        assert floor.tile("bj-2").condition == "unknown"
        assert floor.refusals("bj-2")


async def test_a_status_that_cannot_be_read_is_refused(address: str) -> None:
    async with begun(address) as (floor, subscriber, table):
        later = payload_of(status(time.time())).replace(b'"v":1', b'"v":2')
        await table.send(SignedMessage.make(table.subject, later, table.signer))
        await come_true(lambda: subscriber.refused == 1)
        await table.publish(b"no JSON", None)
        await come_true(lambda: subscriber.refused == 2)
        await table.publish(payload_of(status(time.time(), dealer="Eve")), {SIGNATURE: "ab"})
        await come_true(lambda: subscriber.refused == 3)
        assert floor.tile().dealer == "Ada"


async def test_an_unsigned_status_says_only_that_the_core_is_down(address: str) -> None:
    async with begun(address) as (floor, subscriber, table):
        await table.publish(payload_of(status(time.time(), dealer="Eve")), None)
        await table.publish(payload_of(uplink(time.time())), None)
        await come_true(lambda: floor.tile().condition == "down")
        assert (floor.tile().dealer, subscriber.refused) == ("Ada", 0)
        await table.say(dealer="Bob")
        await come_true(lambda: floor.tile().condition == "open")


async def test_a_table_that_nobody_has_admitted_is_not_shown(address: str) -> None:
    async with begun(address, "bj-1") as (floor, subscriber, table):
        await Table(table.client, "bj-2").say(dealer="Eve")
        await come_true(lambda: subscriber.unadmitted == 1)
        assert (floor.tile("bj-2").condition, floor.refusals("bj-2")) == ("unknown", [])


async def test_a_floor_that_starts_shows_what_each_table_said_last(address: str) -> None:
    async with connected(address) as client:
        for name in ("bj-1", "bj-2"):
            for dealer in ("Ada", "Bob", "Cleo"):
                await Table(client, name).store(dealer=f"{dealer} {name}")
        floor = Floor("bj-1", "bj-2")
        async with floor.watching(address) as subscriber:
            await come_true(lambda: subscriber.taken == 2)
            assert [floor.tile(name).dealer for name in ("bj-1", "bj-2")] == ["Cleo bj-1", "Cleo bj-2"]
            await Table(client).say(dealer="Dan")
            await come_true(lambda: floor.tile().dealer == "Dan")


async def test_a_last_status_counts_from_when_it_came(address: str) -> None:
    async with connected(address) as client:
        await Table(client).store(at=time.time() - 500, dealer="Ada")
        before = time.time()
        floor = Floor("bj-1")
        async with floor.watching(address) as subscriber:
            await come_true(lambda: subscriber.taken == 1)
            floor.picture.tick(before + 60)
            stale = floor.tile().stale_since
            assert stale is not None
            assert stale <= before


async def test_a_last_status_that_another_key_signed_is_refused_too(address: str) -> None:
    async with connected(address) as client:
        await Table(client).store(STRANGER, dealer="Eve")
        floor = Floor("bj-1")
        async with floor.watching(address) as subscriber:
            await come_true(lambda: subscriber.refused == 1)
            assert floor.tile().dealer == ""


async def test_a_floor_without_the_stream_waits_for_the_next_statuses(address: str) -> None:
    async with connected(address) as client:
        await client.jetstream().delete_stream(STATUS)
    async with begun(address) as (floor, _subscriber, _table):
        assert floor.tile().condition == "open"
