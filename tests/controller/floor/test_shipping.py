"""A journal on its way from a table to the floor, over a real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from controller.calendar import Calendar
from controller.floor.batch import rows_of
from controller.floor.collector import Collector
from controller.floor.connection import Servers, connection
from controller.floor.day_file import JournalName
from controller.floor.nats_server import nats_server
from controller.floor.projector import STREAM, Admission, Incident, Projector
from controller.floor.store import FloorStore
from controller.floor.streams import Deployment, StreamError, check, prepare
from controller.floor.uplink.shipper import Shipper
from controller.journal.chain import START, JournalRow
from controller.journal.closed_files import list_closed_files
from controller.journal.history import History
from controller.journal.place import Extent, OtherRows
from controller.journal.signing import Signer
from controller.process.tasks import end_tasks
from controller.property.shipping import ResendReply, ResumeReply
from controller.property.subjects import PropertySubjects, epoch_of
from tests.fixtures.journal_files import build, sample_rows
from tests.fixtures.waiting import PATIENCE, come_true

SUBJECTS = PropertySubjects("house")
SIGNER = Signer(bytes(range(32)))


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        yield found


class Table:
    """A journal of `rows` rows and its shipper."""

    def __init__(self, path: Path, rows: int, since: int = 0) -> None:
        self.rows = build(path, [sample_rows(rows, since)])
        self.path, self.alarms = path, list[str]()
        self.stored: ResumeReply | None = None
        self.extents: list[Extent] = []

    async def ask_floor(self, extent: Extent) -> ResumeReply | None:
        """What the floor says that it has."""
        self.extents.append(extent)
        return self.stored

    @property
    def name(self) -> JournalName:
        return JournalName("bj-1", epoch_of(self.rows[0].hash))

    @asynccontextmanager
    async def shipping(self, address: str, subject: str = "") -> AsyncIterator[Shipper]:
        async with connection(Servers((address,), "bj-1", "_INBOX_bj-1")) as client:
            found = subject or SUBJECTS.journal(self.name.table, self.name.epoch)
            shipper = Shipper(
                History(self.path), client.jetstream(), found, self.ask_floor, self.alarms.append, 100_000
            )
            self.task = asyncio.create_task(shipper.run())
            try:
                yield shipper
            finally:
                await end_tasks([self.task])


class Floor:
    def __init__(self, folder: Path, *tables: Table) -> None:
        self.store = FloorStore(folder, Calendar(), lambda: 0.0)
        admitted = {table.name: Admission(1, START, SIGNER.public) for table in tables}
        self.projector = Projector(self.store, admitted)
        self.incidents: list[Incident] = []

    @asynccontextmanager
    async def collecting(self, address: str) -> AsyncIterator[None]:
        async with connection(Servers((address,), "floor", "_INBOX_floor")) as client:
            position = self.store.newest.position(STREAM)
            collector = Collector(
                client.jetstream(), SUBJECTS, self.projector, position, self.incidents.extend
            )
            task = asyncio.create_task(_collect(collector))
            try:
                yield
            finally:
                await end_tasks([task])

    def reached(self, table: Table) -> int:
        head = self.projector.heads.get(table.name)
        return head.row if head else 0

    def rows(self, table: Table) -> list[JournalRow]:
        return [row for batch in self.store.segments(table.name) for row in rows_of(batch)]


async def _collect(collector: Collector) -> None:
    while True:
        await collector.run()


@asynccontextmanager
async def prepared(address: str) -> AsyncIterator[None]:
    async with connection(Servers((address,), "floor", "_INBOX_floor")) as client:
        await prepare(client.jetstream(), Deployment("house"))
        yield


async def test_every_row_that_may_leave_arrives_once_and_in_order(address: str, tmp_path: Path) -> None:
    table = Table(tmp_path / "bj-1.journal", 1200)
    floor = Floor(tmp_path / "floor", table)
    async with prepared(address), floor.collecting(address), table.shipping(address) as shipper:
        shipper.disclose(700)
        await come_true(lambda: floor.reached(table) == 700)
        shipper.disclose(1200)
        await come_true(lambda: floor.reached(table) == 1200)
    assert floor.rows(table) == table.rows
    assert not floor.incidents


async def test_a_shipper_that_starts_again_goes_on_where_the_stream_ends(
    address: str, tmp_path: Path
) -> None:
    table = Table(tmp_path / "bj-1.journal", 90)
    floor = Floor(tmp_path / "floor", table)
    async with prepared(address), floor.collecting(address):
        for disclosed in (30, 60, 90):
            async with table.shipping(address) as shipper:
                shipper.disclose(disclosed)
                await come_true(lambda reached=disclosed: floor.reached(table) == reached)  # type: ignore[misc]
    assert [(batch.first, batch.last) for batch in floor.store.segments(table.name)] == [
        (1, 30),
        (31, 60),
        (61, 90),
    ]


async def test_a_floor_that_was_away_takes_what_came_meanwhile(address: str, tmp_path: Path) -> None:
    table = Table(tmp_path / "bj-1.journal", 90)
    floor = Floor(tmp_path / "floor", table)
    async with prepared(address), table.shipping(address) as shipper:
        shipper.disclose(30)
        async with floor.collecting(address):
            await come_true(lambda: floor.reached(table) == 30)
        shipper.disclose(90)
        await come_true(lambda: shipper.reached.row == 90)
        async with floor.collecting(address):
            await come_true(lambda: floor.reached(table) == 90)
    assert floor.rows(table) == table.rows


async def test_a_message_that_is_lost_on_its_way_to_the_floor_is_read_again(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client library that drops a message leaves no trace of it but a gap in the sequences."""
    taken = Subscription.next_msg
    lost = list[Msg]()

    async def lose_one(reading: Subscription, timeout: float | None = 1.0) -> Msg:  # noqa: ASYNC109 - theirs
        message = await taken(reading, timeout)
        if not lost:
            lost.append(message)
            return await taken(reading, timeout)
        return message

    monkeypatch.setattr(Subscription, "next_msg", lose_one)
    tables = [Table(tmp_path / f"{number}.journal", 9, since=100 * number) for number in range(3)]
    floor = Floor(tmp_path / "floor", *tables)
    async with prepared(address):
        for table in tables:
            async with table.shipping(address) as shipper:
                shipper.disclose(9)
                await come_true(lambda shipper=shipper: shipper.reached.row == 9)  # type: ignore[misc]
        async with floor.collecting(address):
            await come_true(lambda: all(floor.reached(table) == 9 for table in tables))
    assert lost
    assert [floor.rows(table) for table in tables] == [table.rows for table in tables]
    assert not floor.incidents


async def test_a_journal_that_was_put_back_is_not_shipped(address: str, tmp_path: Path) -> None:
    table = Table(tmp_path / "bj-1.journal", 90)
    async with prepared(address), table.shipping(address) as shipper:
        shipper.disclose(90)
        await come_true(lambda: shipper.reached.row == 90)
    older = Table(tmp_path / "older.journal", 40)
    with pytest.raises(OtherRows, match="row 90"):
        await ship_all(older, address)


async def test_a_journal_with_other_rows_is_not_shipped(address: str, tmp_path: Path) -> None:
    table, other = Table(tmp_path / "bj-1.journal", 40), Table(tmp_path / "other.journal", 90, since=7)
    subject = SUBJECTS.journal(table.name.table, table.name.epoch)
    async with prepared(address), table.shipping(address) as shipper:
        shipper.disclose(40)
        await come_true(lambda: shipper.reached.row == 40)
    with pytest.raises(OtherRows, match="row 40 of the journal is not the one"):
        await ship_all(other, address, subject)


async def ship_all(table: Table, address: str, subject: str = "") -> None:
    async with table.shipping(address, subject) as shipper:
        shipper.disclose(len(table.rows))
        await asyncio.wait([table.task], timeout=PATIENCE)


async def test_two_programs_under_one_name_send_each_row_once(address: str, tmp_path: Path) -> None:
    table = Table(tmp_path / "bj-1.journal", 1200)
    floor = Floor(tmp_path / "floor", table)
    async with (
        prepared(address),
        floor.collecting(address),
        table.shipping(address) as one,
        table.shipping(address) as other,
    ):
        for disclosed in range(50, 1201, 50):
            one.disclose(disclosed)
            other.disclose(disclosed)
            await asyncio.sleep(0.005)
        await come_true(lambda: floor.reached(table) == 1200)
    batches = list(floor.store.segments(table.name))
    assert [batch.first for batch in batches[1:]] == [batch.last + 1 for batch in batches[:-1]]
    assert floor.rows(table) == table.rows


async def test_a_stream_that_is_set_up_otherwise_is_refused(address: str) -> None:
    async with prepared(address), connection(Servers((address,), "x", "_INBOX_x")) as client:
        await check(client.jetstream(), Deployment("house").streams())
        with pytest.raises(StreamError, match="max_bytes is 4294967296, needed: 5"):
            await check(client.jetstream(), Deployment("house", journal_bytes=5).streams())


async def test_a_missing_stream_is_named(address: str) -> None:
    async with connection(Servers((address,), "x", "_INBOX_x")) as client:
        with pytest.raises(StreamError, match="JOURNAL is missing: tableside floor prepare"):
            await check(client.jetstream(), Deployment("house").streams())


async def test_rows_whose_file_was_deleted_are_named_and_later_ones_are_sent(
    address: str, tmp_path: Path
) -> None:
    table = Table(tmp_path / "bj-1.journal", 90)
    async with prepared(address):
        async with table.shipping(address) as shipper:
            shipper.disclose(30)
            await come_true(lambda: shipper.reached.row == 30)
        path = tmp_path / "rolled.journal"
        rows = build(path, [sample_rows(40), sample_rows(20, 40), sample_rows(30, 60)])
        assert rows[:40] == table.rows[:40]
        first, *_ = list_closed_files(path)
        first.path.unlink()
        table.path = path
        async with table.shipping(address) as shipper:
            shipper.disclose(len(rows))
            await come_true(lambda: shipper.reached.row == len(rows))
            answer = shipper.resend(30, rows[29].hash)
    assert table.alarms[-1] == (
        "The floor does not have the rows 31 to 40, and their file was deleted at the table"
    )
    assert answer == ResendReply(v=1, ok=False, code="gone", oldest=41)


async def test_a_journal_behind_what_the_floor_has_stored_is_not_shipped(
    address: str, tmp_path: Path
) -> None:
    table = Table(tmp_path / "bj-1.journal", 40)
    table.stored = ResumeReply(v=1, admitted=True, row=90, hash="ab" * 32)
    async with prepared(address):
        with pytest.raises(OtherRows, match="the floor has row 90, and the journal ends with row 40"):
            await ship_all(table, address)
    assert table.extents[0] == Extent(1, 40, START)
