"""A table's daemon, its uplink, a server and a floor, each a process: what goes wrong between them is an
alert at the table."""

import asyncio
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client
from typer.testing import CliRunner

from controller.commands.app import app
from controller.config import read
from controller.floor.admitting import read_request
from controller.floor.batch import batches
from controller.floor.connection import Servers, connection
from controller.floor.keys import prepared_signer
from controller.floor.nats_server import nats_server
from controller.floor.projector import Admission
from controller.floor.register import Decision
from controller.floor.settings import read_floor
from controller.floor.streams import JOURNAL
from controller.floor.uplink.enrolment import request_of
from controller.journal.chain import START
from controller.journal.closed_files import list_closed_files
from controller.journal.history import History
from controller.journal.signing import signer
from controller.process.tasks import end_tasks
from controller.property.subjects import PropertySubjects
from controller.socket.client import CoreClient
from tests.controller.floor.floor_process import running
from tests.controller.floor.test_service import decide, open_incidents, prepared, written
from tests.controller.table.test_rolled_journal import play
from tests.fixtures.daemon_process import notified
from tests.fixtures.floor_table import with_uplink
from tests.fixtures.waiting import PATIENCE, come_true

pytestmark = pytest.mark.usefixtures("fork_server")

SUBJECTS = PropertySubjects("house")
ATTEMPTS = 4
AT_ONCE = 20
"""Messages of the other program that are on their way at the same time."""


class House:
    """The folder of a table, and the configuration of a floor whose server runs."""

    def __init__(self, table: Path, floor: Path, address: str) -> None:
        self.table, self.floor, self.address = table, floor, address
        key = prepared_signer(Path(read_floor(floor).key)).public.hex()
        self.config = with_uplink(table, address, key)

    @property
    def history(self) -> History:
        return History(self.table / "journal")

    def last(self) -> int:
        """The last row of the journal."""
        return self.history.files()[-1].last

    @contextmanager
    def process(self, command: str) -> Iterator[Any]:
        """The daemon or the uplink, once it is ready; it ends in order, unless it was killed."""
        with notified(self.config, command) as (process, say):
            while "READY=1" not in say():
                continue
            yield process
            process.terminate()
            assert process.wait(PATIENCE) in (0, -signal.SIGKILL)

    @asynccontextmanager
    async def daemon(self) -> AsyncIterator["Core"]:
        with self.process("run"):
            async with CoreClient(self.table / "journal.sock", "web", ("view",)) as client:
                await client.wait_connected(PATIENCE)
                await come_true(lambda: client.replica.current)
                yield Core(client)

    def admit(self) -> Admission:
        """Two persons admit the table's journal as it is now."""
        request = read_request(request_of(read(self.config)).model_dump_json(), "house")
        admission = request.admission()
        decide(self.floor, Decision("admit", request.name(), admission, "Ann", "Bo", "new", 1.0))
        return admission


class Core:
    """What a running daemon shows."""

    def __init__(self, client: CoreClient) -> None:
        self._client = client

    def alerts(self) -> list[str]:
        """The alerts whose cause lasts."""
        return [alarm.text for alarm in self._client.replica.view().alarms if alarm.ended is None]

    async def shows(self, text: str, limit: float = PATIENCE) -> None:
        await come_true(lambda: any(text in alert for alert in self.alerts()), limit)

    async def figure(self, name: str) -> int:
        """A metric."""
        lines = (await self._client.metrics()).splitlines()
        return next(round(float(line.split()[1])) for line in lines if line.startswith(f"{name} "))

    async def reaches(self, name: str, least: int) -> None:
        for _ in range(round(PATIENCE / 0.2)):
            if await self.figure(name) >= least:
                return
            await asyncio.sleep(0.2)
        raise AssertionError(f"{name} is {await self.figure(name)}, not {least}")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    table = tmp_path / "table"
    table.mkdir()
    async with nats_server(tmp_path / "nats") as address:
        floor = await prepared(written(tmp_path, address))
        made = House(table, floor, address)
        done = CliRunner().invoke(app, ["provision", "journal", "--config", str(made.config)])
        assert done.exit_code == 0, done.output
        yield made


@asynccontextmanager
async def client_of(house: House) -> AsyncIterator[Client]:
    async with connection(Servers((house.address,), "other", "_INBOX_other")) as client:
        yield client


async def test_the_table_knows_what_the_floor_has_and_when_its_uplink_is_gone(house: House) -> None:
    async with running(house.floor) as floor, house.daemon() as core:
        house.admit()
        await come_true(lambda: floor.logged("admitted journals"))
        with house.process("uplink") as uplink:
            disclosed = await core.figure("tableside_floor_disclosed_row")
            assert disclosed == house.last()
            await core.reaches("tableside_floor_stored_row", disclosed)
            assert await core.figure("tableside_uplink_connected") == 1
            uplink.send_signal(signal.SIGKILL)
        await core.shows("The uplink does not run")
        assert await core.figure("tableside_uplink_connected") == 0
        with house.process("uplink"):
            await come_true(lambda: not any("uplink" in alert for alert in core.alerts()))


async def test_a_disk_that_was_put_back_is_an_alert_and_the_floor_keeps_what_it_has(house: House) -> None:
    async with house.daemon():
        house.admit()
    shutil.copytree(house.table, house.table.with_name("yesterday"))
    async with running(house.floor):
        async with house.daemon() as core:
            with house.process("uplink"):
                await core.reaches("tableside_floor_stored_row", house.last())
        sent = {row.row: row.hash for row in house.history.rows()}
        shutil.rmtree(house.table)
        house.table.with_name("yesterday").rename(house.table)
        async with house.daemon() as core:
            with house.process("uplink"):
                await core.shows("The floor has other rows than this table")
                assert await core.figure("tableside_floor_stored_row") == 0
    async with client_of(house) as client:
        last = await client.jetstream().get_last_msg(JOURNAL, SUBJECTS.journal("bj-7", "*"))
        assert last.headers
        assert bytes.fromhex(last.headers["Ts-Hash"]) == sent[int(last.headers["Ts-Last"])]


async def test_another_program_that_sends_rows_under_the_tables_name_is_an_alert(house: House) -> None:
    async with running(house.floor) as floor, client_of(house) as client:
        async with house.daemon() as core:
            house.admit()
            await come_true(lambda: floor.logged("admitted journals"))
            with house.process("uplink"):
                await core.reaches("tableside_floor_stored_row", house.last())
        repeating = asyncio.create_task(repeat_last(client))
        try:
            attempts = 0
            while not await is_shown_after_restart(house, "Another program sends rows under"):
                attempts += 1  # on a busy machine, the table may be faster than the other program
                assert attempts < ATTEMPTS
        finally:
            await end_tasks([repeating])


async def is_shown_after_restart(house: House, text: str) -> bool:
    """Whether a daemon that has the rows of its start to send shows an alert with this text."""
    async with house.daemon() as core:
        with house.process("uplink"):
            try:
                await core.shows(f"{text} ts.house.journal.bj-7.", PATIENCE / ATTEMPTS)
            except AssertionError:
                return False
    return True


async def repeat_last(client: Client) -> None:
    """Publish the table's last message again and again, faster than the table can send its own."""
    stream = client.jetstream()
    last = await stream.get_last_msg(JOURNAL, SUBJECTS.journal("bj-7", "*"))
    assert last.headers
    assert last.subject
    headers = {name: text for name, text in last.headers.items() if name.startswith("Ts-")}
    while True:
        await asyncio.gather(
            *(stream.publish(last.subject, last.data or b"", headers=headers) for _ in range(AT_ONCE))
        )


async def test_rows_whose_file_is_gone_are_an_alert_and_pass_after_two_persons_accepted_it(
    house: House,
) -> None:
    play(house.table / "journal", 6, 40, signer(Path(read(house.config).journal.key)))
    admission = house.admit()
    first, *_ = list_closed_files(house.table / "journal")
    known = list(house.history.rows(1, 3))
    subject = SUBJECTS.journal("bj-7", request_of(read(house.config)).epoch)
    async with running(house.floor) as floor, client_of(house) as client:
        await come_true(lambda: floor.logged("admitted journals"))
        for batch in batches(START, known):
            await client.jetstream().publish(subject, batch.data, headers=batch.headers())
        first.path.unlink()
        async with house.daemon() as core:
            with house.process("uplink"):
                await core.shows(f"The floor does not have the rows 4 to {first.last}, and their file was")
                await come_true(lambda: kinds(house) == ["gap", "rows gone"])
                assert await core.figure("tableside_floor_stored_row") == 0
                accept_gap(house, admission)
                await core.reaches("tableside_floor_stored_row", house.last())


def kinds(house: House) -> list[str]:
    """Of the incidents that are open at the floor."""
    return [incident.kind for incident in open_incidents(house.floor)]


def accept_gap(house: House, admission: Admission) -> None:
    """Two persons let the floor go on after rows that are lost."""
    (gap,) = [incident for incident in open_incidents(house.floor) if incident.kind == "gap"]
    accepted = Admission(gap.last + 1, gap.before, admission.public)
    decide(house.floor, Decision("accept gap", gap.name, accepted, "Ann", "Bo", "disk lost", 1.0))
