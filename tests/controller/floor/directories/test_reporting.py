"""The floor's service names the tables that have not taken their directory, and goes on after faults."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.access.accounts import Accounts
from controller.access.store import AccessStore
from controller.floor.connection import Servers, connection
from controller.floor.directories.publisher import TAKEN_WITHIN
from controller.floor.floor_log import FloorLog
from controller.floor.nats_server import nats_server
from controller.floor.service.directories import Directories
from controller.floor.settings import read_floor
from controller.floor.streams import DIRECTORY, Deployment, prepare
from controller.floor.tables.picture import FloorPicture
from controller.journal.journal import Journal
from controller.process.tasks import end_tasks
from controller.property.directory import Directory
from controller.property.status import StatusDirectory
from tests.controller.floor.directories.test_publisher import SIGNER, SUBJECTS, TABLES, OwnLog
from tests.controller.floor.tables.statuses import status
from tests.fixtures.access_desk import Clock
from tests.fixtures.waiting import come_true

PITS = {"main": ("bj-1", "bj-2")}


class Service:
    """The part of the service, with the picture that it reports to."""

    def __init__(self, directories: Directories, picture: FloorPicture, steady: Clock) -> None:
        self.directories, self.picture, self.steady = directories, picture, steady

    def alerts(self, table: str) -> list[str]:
        alerts = self.picture.alerts.of_table(table)
        return [alert.text for alert in alerts if alert.cause.kind == "directory" and alert.lasts]


@asynccontextmanager
async def service(folder: Path, address: str) -> AsyncIterator[tuple[Service, FloorLog]]:
    """The floor's configuration lies in the folder."""
    async with connection(Servers((address,), "floor", "_INBOX_floor")) as client:
        await prepare(client.jetstream(), Deployment("house"))
        with Journal(folder / "floor.journal", None, SIGNER) as journal:
            log = FloorLog(client.jetstream(), SUBJECTS.floor_log, folder / "floor.journal", journal, Clock())
            await log.start()
            picture, steady = FloorPicture(PITS, 1.0), Clock()
            config = read_floor(folder / "floor.toml")
            part = Directories(config, client, SIGNER, OwnLog(log), picture, Clock(), steady)
            part.tables = TABLES
            running = asyncio.create_task(part.run())
            try:
                yield Service(part, picture, steady), log
            finally:
                await end_tasks([running])


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        (tmp_path / "floor.toml").write_text(
            f'property = "house"\nservers = ["{found}"]\n[pits]\nmain = ["bj-1", "bj-2"]\n'
        )
        yield found


async def last(address: str, table: str) -> Directory:
    async with connection(Servers((address,), "looker", "_INBOX_looker")) as client:
        found = await client.jetstream().get_last_msg(DIRECTORY, SUBJECTS.directory(table))
        return Directory.read(found.data or b"")


async def test_a_table_is_named_until_it_has_taken_its_directory(tmp_path: Path, address: str) -> None:
    async with service(tmp_path, address) as (floor, log):
        await come_true(lambda: len(list(log.entries())) == len(TABLES), pause=0.1)
        sent = {table: await last(address, table) for table in TABLES}
        has = {
            table: StatusDirectory(version=each.version, issued=each.issued) for table, each in sent.items()
        }
        floor.picture.take_status("bj-1", status(2.0, directory=has["bj-1"]), 2.0, 2.0)
        floor.picture.take_status("bj-2", status(2.0, directory=StatusDirectory()), 2.0, 2.0)
        floor.steady.now += TAKEN_WITHIN
        await come_true(lambda: floor.alerts("bj-2"))
        assert floor.alerts("bj-2") == ["The table has not taken its directory: it has none"]
        assert floor.alerts("bj-1") == []
        floor.picture.take_status("bj-2", status(3.0, directory=has["bj-2"]), 3.0, 3.0)
        await come_true(lambda: not floor.alerts("bj-2"))


async def test_directories_go_out_once_the_accounts_can_be_read(tmp_path: Path, address: str) -> None:
    accounts = tmp_path / "access.db"
    accounts.write_bytes(b"not a database" * 1000)
    accounts.chmod(0o600)
    async with service(tmp_path, address) as (_, log):
        await asyncio.sleep(0)
        accounts.unlink()
        store = AccessStore(accounts)
        Accounts(store).add("Ann", "supervisor", "root")
        Accounts(store).set_places("Ann", (), ["main"], "root")
        store.close()
        await come_true(
            lambda: any(entry.body["accounts"] for entry in log.entries() if entry.kind == "directory"),
            pause=0.1,
        )
