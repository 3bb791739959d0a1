"""The process of a floor, `tableside floor run`, on a real server: what it says to tables, and its alarms."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from controller.demo.reservations import free_port
from controller.floor.batch import Batch, batches
from controller.floor.connection import Servers, connection
from controller.floor.day_file import JournalName
from controller.floor.keys import floor_signer, prepared_signer
from controller.floor.nats_server import monitor_address, nats_server
from controller.floor.projector import Admission, Incident
from controller.floor.register import Decision, FloorRegister
from controller.floor.service import decision_log
from controller.floor.service.preparing import prepare_floor
from controller.floor.service.service import FloorService
from controller.floor.settings import read_floor
from controller.floor.streams import STATUS
from controller.journal.chain import START, chain_rows
from controller.process.tasks import end_tasks
from controller.property.shipping import (
    Acknowledgement,
    ResendReply,
    ResendRequest,
    ResumeReply,
    ResumeRequest,
)
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects, epoch_of
from tests.controller.floor.floor_process import PROGRAM, running
from tests.fixtures.journal_files import sample_rows
from tests.fixtures.waiting import PATIENCE, come_true

pytestmark = pytest.mark.usefixtures("fork_server")

SUBJECTS = PropertySubjects("house")
ROWS = chain_rows(None, sample_rows(9))
TABLE = JournalName("bj-1", epoch_of(ROWS[0].hash))
SUBJECT = SUBJECTS.journal(TABLE.table, TABLE.epoch)
ADMISSION = Admission(1, START, bytes(range(32)))


@pytest.fixture
async def config(tmp_path: Path) -> AsyncIterator[Path]:
    """The configuration of a floor whose server runs."""
    async with nats_server(tmp_path / "nats") as address:
        yield written(tmp_path, address)


def written(folder: Path, address: str, more: str = "") -> Path:
    path = folder / "floor.toml"
    path.write_text(f'property = "house"\nservers = ["{address}"]\n{more}', encoding="utf-8")
    return path


def added(config: Path, line: str) -> Path:
    config.write_text(config.read_text("utf-8") + line, encoding="utf-8")
    return config


async def prepared(config: Path) -> Path:
    await asyncio.to_thread(prepare_floor, read_floor(config))
    return config


@asynccontextmanager
async def connected(config: Path) -> AsyncIterator[Client]:
    async with connection(Servers(read_floor(config).servers, "bj-1", "_INBOX_bj-1")) as client:
        yield client


async def send(client: Client, batch: Batch) -> None:
    await client.jetstream().publish(SUBJECT, batch.data, headers=batch.headers())


def batch(first: int, last: int) -> Batch:
    (made,) = batches(ROWS[first - 2].hash if first > 1 else START, ROWS[first - 1 : last])
    return made


async def test_a_floor_goes_on_after_its_only_server_was_started_anew(tmp_path: Path) -> None:
    """It prepares nothing: streams in memory would be gone, and so would the last statuses."""
    port = free_port()
    async with nats_server(tmp_path / "nats", port) as address:
        config = await prepared(written(tmp_path, address))
        async with connected(config) as client:
            await client.publish(SUBJECTS.status(TABLE.table), b"last")
            await client.flush()
    async with nats_server(tmp_path / "nats", port), running(config), connected(config) as client:
        admit(config)
        last = await client.jetstream().get_last_msg(STATUS, SUBJECTS.status(TABLE.table))
        assert last.data == b"last"
        await send(client, batch(1, 9))
        await until_stored(client, 9)


def decide(config: Path, decision: Decision) -> None:
    with FloorRegister(Path(read_floor(config).stores), lambda: 1.0) as register:
        register.decide(decision)


def admit(config: Path) -> None:
    decide(config, Decision("admit", TABLE, ADMISSION, "Ann", "Bo", "new", 1.0))


def open_incidents(config: Path) -> list[Incident]:
    with FloorRegister(Path(read_floor(config).stores), lambda: 1.0) as register:
        return [kept.incident for kept in register.incidents()]


async def admitted(client: Client) -> bool:
    return await answers(client) and (await stored(client)).admitted


async def stored(client: Client) -> ResumeReply:
    asked = ResumeRequest(v=1, epoch=TABLE.epoch, oldest=1, row=9)
    answer = await client.request(SUBJECTS.resume(TABLE.table), asked.payload, timeout=PATIENCE)
    return ResumeReply.read(answer.data)


async def until_stored(client: Client, row: int) -> None:
    await until(lambda: has_stored(client, row))


async def has_stored(client: Client, row: int) -> bool:
    return await answers(client) and (await stored(client)).row == row


async def answers(client: Client) -> bool:
    with suppress(NoRespondersError):
        await stored(client)
        return True
    return False


async def until(question: Callable[[], Awaitable[bool]]) -> None:
    """Waits until the answer is yes."""
    end = time.monotonic() + PATIENCE
    while not await question():
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


async def test_stored_rows_are_acknowledged_with_the_key_of_the_floor(config: Path) -> None:
    admit(await prepared(config))
    pinned = {prepared_signer(Path(read_floor(config).key)).public}
    subject = SUBJECTS.acknowledgement(TABLE.table)
    async with running(config), connected(config) as client:
        heard = await client.subscribe(subject)
        await send(client, batch(1, 9))
        message = await heard.next_msg(PATIENCE)
        payload = SignedMessage.received(subject, message.data, message.headers).verify(pinned)
    acknowledged = Acknowledgement.read(payload)
    assert (acknowledged.epoch, acknowledged.row, acknowledged.digest) == (TABLE.epoch, 9, ROWS[8].hash)


async def test_a_table_learns_what_is_stored_of_its_journal(config: Path) -> None:
    await prepared(config)
    async with running(config), connected(config) as client:
        await until(lambda: answers(client))
        assert (await stored(client)).admitted is False
        (asked,) = open_incidents(config)
        assert (asked.kind, asked.name) == ("unknown journal", TABLE)
        admit(config)
        await until(lambda: admitted(client))
        assert (await stored(client)).row == 0
        await send(client, batch(1, 9))
        await until_stored(client, 9)
        assert (await stored(client)).digest == ROWS[8].hash


async def test_rows_that_came_before_their_admission_are_stored_after_it(config: Path) -> None:
    await prepared(config)
    async with running(config) as floor, connected(config) as client:
        await until(lambda: answers(client))
        await send(client, batch(1, 9))
        await come_true(lambda: floor.logged("incident"))
        (alarm,) = floor.logged("incident")
        assert (alarm["kind"], alarm["table"]) == ("unknown journal", "bj-1")
        assert "tableside floor admit" in str(alarm["todo"])
        admit(config)
        await until_stored(client, 9)
        await come_true(lambda: not open_incidents(config))


async def test_a_gap_is_asked_for_until_it_is_filled(config: Path) -> None:
    admit(await prepared(config))
    async with running(config) as floor, connected(config) as client:
        questions = list[ResendRequest]()

        async def resend(message: Msg) -> None:
            questions.append(ResendRequest.read(message.data))
            await message.respond(ResendReply(v=1, ok=True).payload)
            if len(questions) > 1:
                await send(client, batch(5, 9))

        await client.subscribe(SUBJECTS.resend(TABLE.table), cb=resend)
        await come_true(lambda: floor.logged("admitted journals"))
        await until(lambda: admitted(client))
        await send(client, batch(1, 4))
        await send(client, batch(7, 9))
        await until_stored(client, 9)
        await come_true(lambda: not open_incidents(config))
        assert {(asked.row, asked.digest) for asked in questions} == {(4, ROWS[3].hash)}
        assert [(alarm["kind"], alarm["row"]) for alarm in floor.logged("incident")] == [("gap", 5)]


async def test_a_floor_that_has_just_started_answers_no_table_before_its_decisions_count(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_log, "PAUSE", 3.0)
    admit(await prepared(config))
    settings = read_floor(config)
    service = asyncio.create_task(FloorService(settings, floor_signer(Path(settings.key))).run())
    async with connected(config) as client:
        answer: ResumeReply | None = None
        while answer is None:
            with suppress(NoRespondersError):
                answer = await stored(client)
    await end_tasks([service])
    assert answer.admitted
    assert not open_incidents(config)


async def test_rows_that_are_gone_are_an_alarm_and_an_accepted_gap_passes_them(config: Path) -> None:
    admit(await prepared(config))
    async with running(config) as floor, connected(config) as client:

        async def refuse(message: Msg) -> None:
            await message.respond(ResendReply(v=1, ok=False, code="gone", oldest=7).payload)

        await client.subscribe(SUBJECTS.resend(TABLE.table), cb=refuse)
        await come_true(lambda: floor.logged("admitted journals"))
        await until(lambda: admitted(client))
        await send(client, batch(1, 4))
        await send(client, batch(7, 9))
        await come_true(lambda: len(floor.logged("incident")) == 2)
        assert [line["kind"] for line in floor.logged("incident")] == ["gap", "rows gone"]
        assert (await stored(client)).row == 4
        (gap,) = [incident for incident in open_incidents(config) if incident.kind == "gap"]
        accepted = Admission(gap.last + 1, gap.before, ADMISSION.public)
        decide(config, Decision("accept gap", TABLE, accepted, "Ann", "Bo", "disk lost", 1.0))
        await until_stored(client, 9)
        await come_true(lambda: not open_incidents(config))


async def test_other_rows_than_the_stored_ones_are_an_alarm_that_stays(config: Path) -> None:
    admit(await prepared(config))
    others = chain_rows(None, sample_rows(9, 100))
    (fork,) = batches(others[3].hash, others[4:])
    async with running(config) as floor, connected(config) as client:
        await come_true(lambda: floor.logged("admitted journals"))
        await until(lambda: admitted(client))
        await send(client, batch(1, 4))
        await send(client, fork)
        await come_true(lambda: floor.logged("incident"))
        (alarm,) = floor.logged("incident")
        assert (alarm["kind"], alarm["row"]) == ("fork", 5)
        assert (await stored(client)).row == 4
        await send(client, batch(5, 9))
        await until_stored(client, 9)
    assert [incident.kind for incident in open_incidents(config)] == ["fork"]


async def ended(config: Path) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(*PROGRAM, str(config), stderr=asyncio.subprocess.PIPE)
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode, errors.decode()


async def test_a_floor_without_its_streams_does_not_start(config: Path) -> None:
    prepared_signer(Path(read_floor(config).key))
    status, errors = await ended(config)
    assert status == 1
    assert "stream JOURNAL is missing: tableside floor prepare makes it" in errors


async def test_a_floor_with_fewer_replicas_than_it_needs_does_not_start(config: Path) -> None:
    await prepared(config)
    status, errors = await ended(added(config, "replicas = 3\n"))
    assert status == 1
    assert "num_replicas is 1, needed: 3" in errors


async def test_a_server_that_writes_later_is_refused(tmp_path: Path) -> None:
    async with nats_server(tmp_path / "nats", sync_interval="2m") as address:
        await prepared(written(tmp_path, address))
        monitors = f'monitors = ["{monitor_address(tmp_path / "nats")}"]\n'
        status, errors = await ended(written(tmp_path, address, monitors))
    assert status == 1
    assert "sync_interval is not always" in errors


async def test_a_server_that_writes_at_once_is_accepted(config: Path, tmp_path: Path) -> None:
    monitors = f'monitors = ["{monitor_address(tmp_path / "nats")}"]\n'
    admit(await prepared(added(config, monitors)))
    async with running(config) as floor:
        assert not floor.logged("monitoring port")


async def test_a_bad_configuration_ends_with_the_status_of_wrong_use(tmp_path: Path) -> None:
    status, errors = await ended(written(tmp_path, "nats://10.0.0.1:4222"))
    assert status == 2
    assert "servers = " in errors
