"""The floor's own journal: published first, then on disk, the same for all instances."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from controller.demo.reservations import free_port
from controller.floor import floor_log
from controller.floor.connection import Servers, connection
from controller.floor.floor_log import ENTRY, FIRST, FloorEntry, FloorLog, LogAway, LogFork, hash_of
from controller.floor.nats_server import nats_server
from controller.floor.streams import FLOOR_LOG, Deployment, prepare
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.past.verify.external import VerifyDemands
from controller.property.subjects import PropertySubjects
from tests.fixtures.journal_table import findings
from tests.fixtures.waiting import PATIENCE

SUBJECT = PropertySubjects("house").floor_log
SIGNER = Signer(bytes(range(32)))


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        yield found


@asynccontextmanager
async def instance(address: str, path: Path, subject: str = SUBJECT) -> AsyncIterator[FloorLog]:
    """An instance of the floor that has not started its log."""
    async with connection(Servers((address,), path.name, f"_INBOX_{path.name}")) as client:
        stream = client.jetstream()
        await prepare(stream, Deployment("house"))
        with Journal(path, None, SIGNER) as journal:
            yield FloorLog(stream, subject, path, journal, lambda: 1000.5)


@asynccontextmanager
async def started(address: str, path: Path) -> AsyncIterator[FloorLog]:
    async with instance(address, path) as log:
        await log.start()
        yield log


def said(log: FloorLog) -> list[tuple[int, object]]:
    return [(entry.n, entry.body["id"]) for entry in log.entries()]


class Died(Exception):
    """The instance is gone at this place."""


async def stream_size(address: str) -> int:
    async with connection(Servers((address,), "looker", "_INBOX_looker")) as client:
        return (await client.jetstream().stream_info(FLOOR_LOG)).state.messages


async def test_an_entry_is_in_the_stream_and_in_the_journal(tmp_path: Path, address: str) -> None:
    async with started(address, tmp_path / "a") as log:
        one = await log.append("command", {"id": "c1"})
        two = await log.append("command", {"id": "c2"})
        assert said(log) == [(1, "c1"), (2, "c2")]
    assert (one.before, two.before) == (FIRST, hash_of(one.payload))
    assert await stream_size(address) == 2
    assert findings(tmp_path / "a", VerifyDemands(public=SIGNER.public)) == []


async def test_two_instances_write_one_log(tmp_path: Path, address: str) -> None:
    async with started(address, tmp_path / "a") as one, started(address, tmp_path / "b") as other:
        for number in range(6):
            await (one, other)[number % 2].append("command", {"id": number})
        await one.append("command", {"id": "last"})
        await other.start()
        assert said(one) == said(other) == [(n + 1, n) for n in range(6)] + [(7, "last")]
        assert list(one.entries()) == list(other.entries())


async def test_an_instance_without_its_disk_gets_all_entries_from_the_stream(
    tmp_path: Path, address: str
) -> None:
    async with started(address, tmp_path / "a") as log:
        await log.append("command", {"id": "c1"})
    async with started(address, tmp_path / "b") as log:
        assert said(log) == [(1, "c1")]
        assert (await log.append("command", {"id": "c2"})).n == 2


async def test_a_stream_that_lost_its_end_gets_it_from_the_journal(tmp_path: Path) -> None:
    async with nats_server(tmp_path / "before") as address, started(address, tmp_path / "a") as log:
        for number in range(3):
            await log.append("command", {"id": number})
    async with nats_server(tmp_path / "after") as address:
        async with started(address, tmp_path / "a") as log:
            await log.append("command", {"id": 3})
        async with started(address, tmp_path / "b") as log:
            assert said(log) == [(1, 0), (2, 1), (3, 2), (4, 3)]


async def test_an_instance_that_died_after_publishing_takes_the_entry_over(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(_self: FloorLog, _entry: object) -> None:
        raise Died

    async with started(address, tmp_path / "a") as log:
        with monkeypatch.context() as patched:
            patched.setattr(FloorLog, "_write", dies)
            with pytest.raises(Died):
                await log.append("command", {"id": "c1"})
        assert said(log) == []
    async with started(address, tmp_path / "a") as log:
        assert said(log) == [(1, "c1")]
    assert await stream_size(address) == 1


async def test_a_journal_with_another_entry_is_a_fork_and_stays_as_it_is(tmp_path: Path) -> None:
    for name in ("a", "b"):
        async with (
            nats_server(tmp_path / name / "nats") as address,
            started(address, tmp_path / name / "log") as log,
        ):
            await log.append("command", {"id": name})
    async with (
        nats_server(tmp_path / "a" / "nats") as address,
        instance(address, tmp_path / "b" / "log") as log,
    ):
        with pytest.raises(LogFork, match=f"{FLOOR_LOG} and the floor's journal have different entries 1"):
            await log.start()
        assert said(log) == [(1, "b")]


async def test_nothing_is_on_disk_without_a_server_and_the_log_goes_on_when_one_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message that got no answer may still arrive, as an entry on which the floor has not acted."""
    port = free_port()
    async with AsyncExitStack() as servers, AsyncExitStack() as stack:
        async with nats_server(tmp_path / "nats", port) as address:
            log = await stack.enter_async_context(started(address, tmp_path / "a"))
        monkeypatch.setattr(floor_log, "ANSWER_LIMIT", 0.2)
        with pytest.raises(LogAway, match=FLOOR_LOG):
            await log.append("command", {"id": "lost"})
        assert said(log) == []
        await servers.enter_async_context(nats_server(tmp_path / "nats", port))
        entry = await back(log)
        assert [body for _, body in said(log)] in (["back"], ["lost", "back"])
        assert entry == list(log.entries())[-1]


async def back(log: FloorLog) -> FloorEntry:
    """An entry, as soon as the server takes one."""
    for _ in range(round(PATIENCE / 0.2)):
        try:
            return await log.append("command", {"id": "back"})
        except LogAway:
            await asyncio.sleep(0.2)
    raise AssertionError("the server does not come back")


async def test_a_row_of_the_journal_holds_the_entry_as_it_was_published(tmp_path: Path, address: str) -> None:
    async with started(address, tmp_path / "a") as log:
        entry = await log.append("command", {"id": "c1", "text": "Zoë"})
        (row,) = [row.content for row in log._journal.since(0) if row.content.kind == ENTRY]
    assert (row.body.encode(), row.number, row.at) == (entry.payload, 1, 1000.5)
