"""A thousand synthetic tables in one process, each with a journal and a connection of its own, three servers,
and a floor as a process.

The tables live at 60 rounds an hour; then they are apart for an hour, and send everything at once. Each has
a computer with a disk in a house, so here their journals lie in memory if there is room: a thousand tables
that wait for one disk would measure that disk. The servers and the floor write to the disk.
"""

import asyncio
import os
import resource
import shutil
import sqlite3
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from benchmarks.floor.figures import COUNT, MEGABYTES, MILLISECONDS, PERCENT, SECONDS, Figure, percentile
from benchmarks.floor.load import Load, LoadMeter
from benchmarks.floor.statuses import EVERY, statuses
from controller.floor.drills.house import PROPERTY, FloorProcess, House, house
from controller.floor.drills.outcome import StoredRows
from controller.floor.drills.shipping import shipping
from controller.floor.drills.synthetic import SyntheticTable
from controller.floor.projector import STREAM
from controller.floor.uplink.shipper import Shipper
from controller.journal.place import Extent
from controller.property.shipping import ResumeRequest
from controller.property.subjects import PropertySubjects

HOUR = timedelta(hours=1).total_seconds()
ROUNDS_AN_HOUR = 60
NODES = 3
LOOK = 0.005
"""Seconds between two looks at what is stored."""
CONNECTING = 40
"""Tables that connect at the same time."""
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
ROUND_BYTES = 40_000
"""Room for a round in a journal, with all that SQLite writes beside it."""
STATUS_SECONDS = 30.0
"""For so long the tables also say how they are."""
LEVEL_LIMIT = 900.0
"""Seconds after which a floor that is not level counts as stuck."""


def _whole(found: StoredRows) -> list[Figure]:
    """Nothing is lost and nothing is stored twice."""
    return [
        Figure("  rows lost", found.lost, 0, COUNT),
        Figure("  rows stored twice", found.duplicated, 0, COUNT),
        Figure("  chains that differ", not found.chain_ok, 0, COUNT),
    ]


@dataclass(frozen=True, slots=True)
class LivePhase:
    """`lags`: seconds from the end of each round to its rows in the store. `longest_stall`: the
    longest time in seconds for which the process of all tables and uplinks did nothing else, which is part of
    `lags`. `floor_with_statuses`: the load of the floor while tables also sent statuses."""

    tables: int
    seconds: float
    rows: int
    lags: Sequence[float]
    longest_stall: float
    floor: Load
    servers: Sequence[Load]
    fleet: Load
    floor_with_statuses: Load
    found: StoredRows

    def figures(self) -> list[Figure]:
        busiest = max(self.servers, key=lambda load: load.share)
        largest = max(load.memory for load in self.servers)
        rate = f"{self.tables} tables, {self.rows / self.seconds:.0f} rows/s"
        return [
            Figure(f"{rate}: floor", self.floor.share, 0.05, PERCENT),
            Figure("  memory of the floor, without pages", self.floor.memory, 60, MEGABYTES),
            Figure("  resident, with what it shares", self.floor.resident, None, MEGABYTES),
            Figure("  busiest server", busiest.share, 0.10, PERCENT),
            Figure("  memory of the largest server", largest, 150, MEGABYTES),
            Figure("  end of a round to stored, p50", percentile(self.lags, 0.5) * 1e3, None, MILLISECONDS),
            Figure("  p99", percentile(self.lags, 0.99) * 1e3, 500, MILLISECONDS),
            Figure(
                f"  with a status of each table every {EVERY:.0f} s: floor",
                self.floor_with_statuses.share,
                None,
                PERCENT,
            ),
            Figure("  memory", self.floor_with_statuses.memory, 60, MEGABYTES),
            *_whole(self.found),
            Figure("  (all uplinks together, in one process)", self.fleet.share, None, PERCENT),
            Figure(
                "  (longest time for which that process was held up)",
                self.longest_stall * 1e3,
                None,
                MILLISECONDS,
            ),
        ]


@dataclass(frozen=True, slots=True)
class Backlog:
    """`seconds`: from the first connection until all is stored; `answer`: the longest wait for an answer of
    the floor meanwhile, in seconds."""

    tables: int
    rows: int
    seconds: float
    answer: float
    floor: Load
    found: StoredRows

    def figures(self) -> list[Figure]:
        return [
            Figure(
                f"{self.tables} tables after an hour apart, {self.rows:,} rows: all stored",
                self.seconds,
                180,
                SECONDS,
            ),
            Figure("  rows a second", self.rows / self.seconds, None, COUNT),
            Figure("  longest wait for the floor meanwhile", self.answer, 2, SECONDS),
            Figure("  floor", self.floor.share, None, PERCENT),
            *_whole(self.found),
        ]


class Fleet:
    """The tables of a house, and their uplinks while they are connected."""

    def __init__(self, at: House) -> None:
        self.at = at
        self.shippers: dict[str, Shipper] = {}
        self._stack = AsyncExitStack()

    async def connect(self) -> None:
        """All tables, a number at a time."""
        places = asyncio.Semaphore(CONNECTING)
        await asyncio.gather(*(self._connect(table, places) for table in self.at.tables))

    async def disconnect(self) -> None:
        self.shippers.clear()
        await self._stack.aclose()
        self._stack = AsyncExitStack()

    def disclose(self, table: SyntheticTable) -> None:
        self.shippers[table.name].disclose(table.disclosed)

    async def _connect(self, table: SyntheticTable, places: asyncio.Semaphore) -> None:
        async with places:
            shipper, _ = await self._stack.enter_async_context(shipping(self.at.plan(table), table.disclosed))
        self.shippers[table.name] = shipper


class Position:
    """Up to which message of the stream the floor has stored everything, read from its store."""

    def __init__(self, folder: Path) -> None:
        (file,) = folder.glob("day-*.sqlite")
        self._database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)

    def read(self) -> int:
        query = "SELECT seq FROM position WHERE stream = ?"
        found = self._database.execute(query, (STREAM,)).fetchone()
        return int(found[0]) if found else 0

    def close(self) -> None:
        self._database.close()


async def live(fleet: Fleet, seconds: float) -> LivePhase:
    """Rounds end evenly over time."""
    at, tables = fleet.at, fleet.at.tables
    before = sum(table.disclosed for table in tables)
    floor, servers, ours = LoadMeter(_floor(at)), LoadMeter(at.cluster.processes()), LoadMeter([_own_pid()])
    lags, stall = await _play(fleet, seconds)
    rows = sum(table.disclosed for table in tables) - before
    loads = floor.read()[0], servers.read(), ours.read()[0], await _with_statuses(fleet)
    await at.until_stored(LEVEL_LIMIT)
    at.note_rows()
    return LivePhase(len(tables), seconds, rows, lags, stall, *loads, at.found.rows)


async def _with_statuses(fleet: Fleet) -> Load:
    """Of the floor, while the tables play and say how they are."""
    async with statuses(fleet.at):
        await asyncio.sleep(EVERY)
        meter = LoadMeter(_floor(fleet.at))
        await _play(fleet, STATUS_SECONDS)
        return meter.read()[0]


async def backlog(fleet: Fleet, rounds: int) -> Backlog:
    """All tables were apart for so many rounds."""
    at = fleet.at
    await fleet.disconnect()
    before = sum(table.disclosed for table in at.tables)
    for table in at.tables:
        table.play(rounds)
    rows = sum(table.disclosed for table in at.tables) - before
    async with _asking(at) as waits:
        meter, begun = LoadMeter(_floor(at)), time.monotonic()
        await fleet.connect()
        await at.until_stored(LEVEL_LIMIT)
        seconds, load = time.monotonic() - begun, meter.read()[0]
    at.note_rows()
    return Backlog(len(at.tables), rows, seconds, max(waits), load, at.found.rows)


async def measure(folder: Path, tables: int, seconds: float, rounds: int) -> tuple[LivePhase, Backlog]:
    """`seconds` of play, and then a backlog of so many rounds."""
    _allow_files(tables)
    with _journals(folder, tables * (rounds + round(seconds / HOUR * ROUNDS_AN_HOUR))) as journals:
        return await _measure(folder, journals, tables, seconds, rounds)


async def _measure(
    folder: Path, journals: Path, tables: int, seconds: float, rounds: int
) -> tuple[LivePhase, Backlog]:
    async with house(folder, tables=tables, nodes=NODES, floor_kind=FloorProcess, journals=journals) as at:
        fleet = Fleet(at)
        try:
            await fleet.connect()
            await at.until_stored(LEVEL_LIMIT)
            return await live(fleet, seconds), await backlog(fleet, rounds)
        finally:
            await fleet.disconnect()


@contextmanager
def _journals(folder: Path, rounds: int) -> Iterator[Path]:
    """Where the tables write, with room for so many rounds."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < rounds * ROUND_BYTES:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="tableside-", dir=MEMORY) as made:
        yield Path(made)


async def _play(fleet: Fleet, seconds: float) -> tuple[list[float], float]:
    """The lags of all rounds that ended in that time, and the longest stall of this process."""
    pause = HOUR / ROUNDS_AN_HOUR / len(fleet.at.tables)
    begun, lags, stall = time.monotonic(), list[float](), 0.0
    pending: dict[str, tuple[float, int]] = {}
    turns = _turns(fleet.at.tables)
    with closing(Position(Path(fleet.at.floor.config.stores))) as position:
        played = 0
        while (now := time.monotonic()) < begun + seconds or pending:
            while now < begun + seconds and begun + played * pause <= now:
                table = next(turns)
                table.play()
                fleet.disclose(table)
                pending[table.name] = time.monotonic(), table.disclosed
                played += 1
            lags += _stored(fleet, pending, position.read())
            slept = time.monotonic()
            await asyncio.sleep(LOOK)
            stall = max(stall, time.monotonic() - slept - LOOK)
            if now > begun + seconds + LEVEL_LIMIT:
                break
    return lags, stall


def _stored(fleet: Fleet, pending: dict[str, tuple[float, int]], position: int) -> Iterator[float]:
    """The lags of those whose rows are stored now, which are pending no longer."""
    now = time.monotonic()
    for name, (ended, row) in list(pending.items()):
        reached = fleet.shippers[name].reached
        if reached.row >= row and reached.seq <= position:
            del pending[name]
            yield now - ended


def _turns(tables: Sequence[SyntheticTable]) -> Iterator[SyntheticTable]:
    while True:
        yield from tables


@asynccontextmanager
async def _asking(at: House) -> AsyncIterator[list[float]]:
    """Ask the floor inside the block; afterwards the list has the longest wait for an answer."""
    table, waits = at.tables[0], list[float]()
    subject, extent = PropertySubjects(PROPERTY).resume(table.name), Extent.of(table.history)
    question = ResumeRequest(v=1, epoch=table.epoch, oldest=extent.oldest, row=extent.last)
    path = at.folder / "question"
    path.write_bytes(question.payload)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "benchmarks.floor.asking", at.cluster.addresses[0], subject, str(path)),
        stdin=PIPE,
        stdout=PIPE,
    )
    assert process.stdout
    await process.stdout.readline()  # it has asked once
    yield waits
    answered, _ = await process.communicate(b"")
    waits.append(float(answered))


def _floor(at: House) -> list[int]:
    assert isinstance(at.floor, FloorProcess)
    assert at.floor.process
    return [at.floor.process.pid]


def _own_pid() -> int:
    return os.getpid()


def _allow_files(tables: int) -> None:
    """A table has a connection, and some files of its journal."""
    wanted = 200 + 12 * tables
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
