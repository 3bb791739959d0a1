"""The uplink passes directories on: what came while it was away, what comes, and again to another core."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from nats.aio.client import Client

from controller.floor.connection import Servers, connection
from controller.floor.nats_server import nats_server
from controller.floor.streams import DIRECTORY, Deployment, prepare
from controller.floor.uplink.directory_relay import DirectoryRelay
from controller.journal.signing import Signer
from controller.process.tasks import end_tasks
from controller.property.directory import Directory, DirectoryContent
from controller.property.sealing import SealingKey
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects
from controller.socket.core import FloorTrust
from controller.socket.core_line import CoreLine
from tests.fixtures.core_table import CoreTable, open_core
from tests.fixtures.waiting import come_true

FLOOR_KEY = Signer(bytes([1]) * 32)
SEALING = SealingKey(bytes(range(32)))
SUBJECTS = PropertySubjects("house")
TRUST = FloorTrust(SUBJECTS, "t7", frozenset({FLOOR_KEY.public}), SEALING)
SUBJECT = SUBJECTS.directory("t7")


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Client]:
    """The floor's connection to a server with its streams."""
    async with (
        nats_server(tmp_path / "nats") as address,
        connection(Servers((address,), "floor", "_INBOX_floor")) as client,
    ):
        await prepare(client.jetstream(), Deployment("house"))
        yield client


async def publish(floor: Client, version: int, name: str) -> None:
    account = {"id": f"{version:016x}", "name": name, "role": "dealer"}
    content = DirectoryContent.read(json.dumps({"v": 1, "accounts": [account]}).encode())
    made = Directory.make("t7", version, 100.0 + version, content, SEALING.public)
    signed = SignedMessage.make(SUBJECT, made.payload, FLOOR_KEY)
    await floor.jetstream().publish(SUBJECT, signed.payload, stream=DIRECTORY, headers=signed.headers())


@asynccontextmanager
async def relaying(floor: Client, path: Path) -> AsyncIterator[DirectoryRelay]:
    """The relay of an uplink, on the socket at `path`."""
    relays: list[DirectoryRelay] = []

    def changed() -> None:
        relays[0].repeat()

    async with CoreLine(path, "uplink", (), on_change=changed) as core:
        relay = DirectoryRelay(core, SUBJECT)
        relays.append(relay)
        address = str(floor.connected_url.netloc if floor.connected_url else "")
        running = asyncio.create_task(relay.run())
        async with (
            connection(
                Servers((f"nats://{address}",), "t7", "_INBOX_t7"), lambda up: relay.arrived() if up else None
            ) as client,
            relay.open(client),
        ):
            try:
                yield relay
            finally:
                await end_tasks([running])


def has(core: CoreTable, version: int) -> bool:
    place = core.access.directory.place
    return place is not None and place.version == version


async def test_what_came_while_the_uplink_was_away_is_passed_on(tmp_path: Path, floor: Client) -> None:
    await publish(floor, 1, "Sam")
    async with open_core(tmp_path, trust=TRUST) as core, relaying(floor, core.path):
        await come_true(lambda: has(core, 1))
        await publish(floor, 2, "Sue")
        await come_true(lambda: has(core, 2))
        assert core.access.accounts.active("Sue")
        assert not core.access.accounts.active("Sam")


async def test_another_core_gets_the_last_one_again(tmp_path: Path, floor: Client) -> None:
    await publish(floor, 3, "Sam")
    path = tmp_path / "table.sock"
    async with relaying(floor, path):
        async with open_core(tmp_path, trust=TRUST, socket_path=path) as core:
            await come_true(lambda: has(core, 3))
            core.access.directory.forget()
        async with open_core(tmp_path, trust=TRUST, socket_path=path) as other:
            await come_true(lambda: has(other, 3))
