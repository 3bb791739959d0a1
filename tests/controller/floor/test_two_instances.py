"""Two instances of one floor, as processes on one server."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.demo.reservations import free_port
from controller.floor.batch import Batch, batches
from controller.floor.connection import Servers, connection
from controller.floor.day_file import JournalName
from controller.floor.floor_log import ENTRY, FILE, FloorEntry
from controller.floor.keys import prepared_signer
from controller.floor.lease import holder_of
from controller.floor.nats_server import nats_server
from controller.floor.projector import Admission
from controller.floor.register import Decision, DecisionKind, FloorRegister
from controller.floor.service.preparing import prepare_floor
from controller.floor.settings import read_floor
from controller.floor.store import FloorArchive
from controller.journal.chain import START, chain_rows
from controller.journal.history import History
from controller.property.shipping import Acknowledgement, ResumeReply, ResumeRequest
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects, epoch_of
from tests.controller.floor.floor_process import running
from tests.fixtures.journal_files import sample_rows
from tests.fixtures.waiting import PATIENCE, come_true
from tests.fixtures.web_server import client_of

pytestmark = pytest.mark.usefixtures("fork_server")

SUBJECTS = PropertySubjects("house")
ROWS = chain_rows(None, sample_rows(9))
TABLE = JournalName("bj-1", epoch_of(ROWS[0].hash))
OTHER_EPOCH = "f" * 16
ADMISSION = Admission(1, START, bytes(range(32)))


@dataclass(frozen=True, slots=True)
class Floor:
    """The configurations of both instances."""

    one: Path
    two: Path

    def admit(self, at: Path, kind: DecisionKind = "admit", who: str = "Ann") -> None:
        """Two persons admit the table, or remove it, at the computer of one instance."""
        with FloorRegister(Path(read_floor(at).stores), lambda: 1.0) as register:
            register.decide(Decision(kind, TABLE, ADMISSION, who, "Bo", "new", 1.0))

    def decided(self, at: Path) -> list[tuple[DecisionKind, str]]:
        """The decisions that count for one instance, with the first person of each."""
        with FloorRegister(Path(read_floor(at).stores), lambda: 1.0) as register:
            return [(one.kind, one.who) for one in register.decisions(logged=True)]

    def logged(self, at: Path) -> list[str]:
        """Who decided, as the floor's own journal proves."""
        rows = History(Path(read_floor(at).stores) / FILE).rows()
        entries = [FloorEntry.read(row.content.body.encode()) for row in rows if row.content.kind == ENTRY]
        return [entry.body["who"] for entry in entries if entry.kind == "decision"]

    def stored(self, at: Path) -> int:
        """The last row in the store of one instance."""
        head = FloorArchive(Path(read_floor(at).stores)).heads().get(TABLE)
        return head.row if head else 0


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    """Both have the same key."""
    async with nats_server(tmp_path / "nats") as address:
        made = Floor(*(instance(tmp_path / name, address) for name in ("one", "two")))
        await asyncio.to_thread(prepare_floor, read_floor(made.one))
        shutil.copytree(made.one.parent / "keys", made.two.parent / "keys")
        yield made


def instance(folder: Path, address: str) -> Path:
    folder.mkdir()
    path = folder / "floor.toml"
    path.write_text(f'property = "house"\nservers = ["{address}"]\n', encoding="utf-8")
    return path


def batch(first: int, last: int) -> Batch:
    (made,) = batches(ROWS[first - 2].hash if first > 1 else START, ROWS[first - 1 : last])
    return made


class Table:
    """The table as the servers know it, with what the floor has told it."""

    def __init__(self, client: Client, pinned: bytes) -> None:
        self._client, self._pinned = client, pinned
        self.acknowledged = list[int]()

    async def listen(self) -> None:
        await self._client.subscribe(SUBJECTS.acknowledgement(TABLE.table), cb=self._take)

    async def send(self, first: int, last: int) -> None:
        made = batch(first, last)
        subject = SUBJECTS.journal(TABLE.table, TABLE.epoch)
        await self._client.jetstream().publish(subject, made.data, headers=made.headers())

    async def resume(self, epoch: str = TABLE.epoch) -> list[ResumeReply]:
        """The first answer, and what all instances answer within a second after it. About its own journal, an
        acknowledgement follows."""
        inbox = self._client.new_inbox()
        answers = await self._client.subscribe(inbox)
        asked = ResumeRequest(v=1, epoch=epoch, oldest=1, row=9)
        await self._client.publish(SUBJECTS.resume(TABLE.table), asked.payload, reply=inbox)
        found = list[ResumeReply]()
        while True:
            try:
                message = await answers.next_msg(1 if found else PATIENCE)
            except TimeoutError:
                await answers.unsubscribe()
                return found
            if message.data:  # else the servers say that nobody listens
                found.append(ResumeReply.read(message.data))

    async def holder(self) -> str:
        return await holder_of(self._client.jetstream(), "floor")

    async def _take(self, message: Msg) -> None:
        signed = SignedMessage.received(message.subject, message.data, message.headers)
        self.acknowledged.append(Acknowledgement.read(signed.verify({self._pinned})).row)


@pytest.fixture
async def table(floor: Floor) -> AsyncIterator[Table]:
    config = read_floor(floor.one)
    async with connection(Servers(config.servers, "bj-1", "_INBOX_bj-1")) as client:
        made = Table(client, prepared_signer(Path(config.key)).public)
        await made.listen()
        yield made


async def test_only_the_instance_that_acts_speaks_to_tables_and_the_other_one_takes_over(
    floor: Floor, table: Table
) -> None:
    floor.admit(floor.one)
    async with running(floor.one) as one:
        await come_true(lambda: one.logged("this instance acts"))
        async with running(floor.two) as two:
            await table.send(1, 4)
            await come_true(lambda: floor.stored(floor.one) == floor.stored(floor.two) == 4)
            await come_true(lambda: table.acknowledged)
            assert [answer.admitted for answer in await table.resume(OTHER_EPOCH)] == [False]
            assert table.acknowledged == [4]  # not by the other one, too
            await one.kill()
            await come_true(lambda: two.logged("this instance acts"))
            await come_true(lambda: table.acknowledged == [4, 4])
            await table.send(5, 9)
            await come_true(lambda: table.acknowledged == [4, 4, 9])
            assert [answer.row for answer in await table.resume()] == [9]
            async with running(floor.one):
                await come_true(lambda: floor.stored(floor.one) == 9)
                assert [answer.row for answer in await table.resume()] == [9]
                assert "two" in await table.holder()


async def test_decisions_at_either_computer_count_for_both_instances(floor: Floor, table: Table) -> None:
    async with running(floor.one) as one, running(floor.two) as two:
        await come_true(lambda: any(each.logged("this instance acts") for each in (one, two)))
        follower, acting = (floor.one, floor.two) if "two" in await table.holder() else (floor.two, floor.one)
        await table.send(1, 4)
        floor.admit(follower)
        await come_true(lambda: floor.stored(floor.one) == floor.stored(floor.two) == 4)
        floor.admit(acting, "remove", "Cleo")
        decided = [("admit", "Ann"), ("remove", "Cleo")]
        await come_true(lambda: floor.decided(floor.one) == floor.decided(floor.two) == decided)
        assert floor.logged(floor.one) == floor.logged(floor.two) == ["Ann", "Cleo"]


async def test_the_page_of_the_instance_that_follows_leads_to_the_one_that_acts(floor: Floor) -> None:
    pages = {each: free_port() for each in (floor.one, floor.two)}
    for each, port in pages.items():
        with each.open("a", encoding="utf-8") as file:
            file.write(f'[web]\nport = {port}\nnames = ["localhost"]\nwatching = true\n')
    acts, follows = pages.values()
    async with running(floor.one) as one:
        await come_true(lambda: one.logged("this instance acts") and one.logged("page"))
        async with (
            running(floor.two) as two,
            client_of(acts) as there,
            client_of(follows) as here,
        ):
            await come_true(lambda: two.logged("page"))
            async with (
                asyncio.timeout(PATIENCE),
                here.stream("GET", "/floor/events") as stream,
                aclosing(said_of_the_instance(stream)) as said,
            ):
                while f'<a href="http://localhost:{acts}/floor">' not in await anext(said):
                    pass
                assert 'class="instance"' not in (await there.get("/floor")).text
                await one.kill()
                while await anext(said):
                    pass
            await come_true(lambda: two.logged("this instance acts"))


async def said_of_the_instance(stream: httpx.Response) -> AsyncGenerator[str, None]:
    """What the page says at its top, each time that it changes."""
    event, said = "", list[str]()
    async for line in stream.aiter_lines():
        if line.startswith("event: "):
            event, said = line.removeprefix("event: "), []
        elif line.startswith("data:"):
            said.append(line.removeprefix("data:").strip())
        elif event == "instance" and not line:
            yield "".join(said)
