"""The picture of the tables in the floor's service, on a real server."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from nats.aio.client import Client

from controller.floor.connection import Servers, connection
from controller.floor.day_file import FloorHead, JournalName
from controller.floor.nats_server import nats_server
from controller.floor.projector import Admission
from controller.floor.register import Decision, FloorRegister
from controller.floor.service.pit import Pit
from controller.floor.service.preparing import prepare_floor
from controller.floor.settings import FloorConfig, read_floor
from controller.floor.tables.tile import Tile
from controller.journal.chain import START
from controller.journal.signing import Signer
from controller.process.tasks import end_tasks
from controller.property.signed import SignedMessage
from controller.property.status import payload_of
from tests.controller.floor.tables.statuses import status
from tests.controller.floor.test_service import SUBJECTS, TABLE, written
from tests.fixtures.waiting import PATIENCE

ADMITTED, CHANGED = Signer(bytes(range(32))), Signer(bytes(range(1, 33)))
HASH = bytes([7]) * 32
Heads = Mapping[JournalName, FloorHead]


@pytest.fixture
async def config(tmp_path: Path) -> AsyncIterator[FloorConfig]:
    async with nats_server(tmp_path / "nats") as address:
        found = read_floor(written(tmp_path, address, '[pits]\nhigh-limit = ["bj-1"]\n'))
        await asyncio.to_thread(prepare_floor, found)
        yield found


@asynccontextmanager
async def pit_of(config: FloorConfig, heads: Heads) -> AsyncIterator[tuple[Pit, Client]]:
    """A pit that has admitted one journal, of which `heads` is stored."""
    admission = Admission(1, START, ADMITTED.public)
    with FloorRegister(Path(config.stores), time.time) as register:
        register.take(1, Decision("admit", TABLE, admission, "Ann", "Bob", "new", 1.0))
        async with connection(Servers(config.servers, "floor", "_INBOX_floor")) as client:
            pit = Pit(config, client, Signer(bytes([9]) * 32), time.time)
            pit.look(register, {TABLE: admission}, heads)
            task = asyncio.create_task(pit.run())
            try:
                yield pit, client
            finally:
                await end_tasks([task])


async def say(client: Client, signer: Signer, dealer: str, row: int = 0) -> None:
    fields = {"dealer": dealer, "row": row, "hash": "ab" * 32 if row else ""}
    payload = payload_of(status(time.time(), epoch=TABLE.epoch, **fields))
    message = SignedMessage.make(SUBJECTS.status("bj-1"), payload, signer)
    await client.publish(message.subject, message.payload, headers=message.headers())


async def repeat(pit: Pit, client: Client, signer: Signer, dealer: str, row: int = 0) -> None:
    """As a table does, until the status is shown or refused."""
    async with asyncio.timeout(PATIENCE):
        while tile(pit).dealer != dealer and not kinds(pit) & {"refused"}:
            await say(client, signer, dealer, row)
            await asyncio.sleep(0.1)


def tile(pit: Pit) -> Tile:
    return pit.picture.tiles["bj-1"]


def kinds(pit: Pit) -> set[str]:
    """The kinds of its alerts that do not come from a slow machine."""
    return {alert.kind for alert in tile(pit).alerts} - {"silent", "clock skew"}


async def test_a_signed_status_that_contradicts_the_stored_row_is_a_fork(config: FloorConfig) -> None:
    async with pit_of(config, {TABLE: FloorHead(4, HASH, 1.0, ADMITTED.public)}) as (pit, client):
        await repeat(pit, client, ADMITTED, "Ada", row=4)
        assert (kinds(pit), tile(pit).severity) == ({"fork"}, "critical")


async def test_a_table_that_has_changed_its_key_signs_with_the_new_one(config: FloorConfig) -> None:
    async with pit_of(config, {TABLE: FloorHead(4, HASH, 1.0, CHANGED.public)}) as (pit, client):
        await repeat(pit, client, CHANGED, "Ada")
        assert (tile(pit).dealer, kinds(pit)) == ("Ada", set())
        await repeat(pit, client, ADMITTED, "Eve")
        assert (tile(pit).dealer, kinds(pit)) == ("Ada", {"refused"})
