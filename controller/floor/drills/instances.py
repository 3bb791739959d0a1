"""Both instances of a linked progressive are out of reach of the servers, one after the other and together:
a part of the drill `partition`.

Each instance is a process that reaches the servers through a link of its own. While a link is held, the
instance knows nothing. A leader is held at the moment at which it publishes an entry, so that the entry
arrives when the other one leads.
"""

import asyncio
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import reduce
from pathlib import Path
from random import Random
from typing import Final

from controller.demo.processes import DIES_WITH_US, end_process
from controller.floor.connection import connection
from controller.floor.demo.level import LEVEL, LevelDesk, LevelFiles
from controller.floor.demo.streams import log_entries
from controller.floor.drills.cluster import Cluster, cluster
from controller.floor.drills.house import END_LIMIT, PROPERTY, START_LIMIT, DrillError, until
from controller.floor.drills.interleavings.invariants import check_claims, check_meters
from controller.floor.drills.link import Link, link
from controller.floor.drills.linked_tables import PAUSE, LinkedTables
from controller.floor.drills.outcome import Findings
from controller.floor.drills.progressive import BROKEN
from controller.floor.progressive.entry_journal import ENTRY
from controller.floor.progressive.log_stream import StreamAway
from controller.floor.streams import Deployment
from controller.jackpot.linked.apply import apply
from controller.jackpot.linked.entries import LogEntry, read_entry
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.table_level import SILENCE
from controller.journal.history import History
from controller.journal.signing import Signer
from controller.property.subjects import PropertySubjects
from drivers.key_files import make_key, read_key, store_key

MODULE: Final = "controller"
NODES: Final = 3
TABLES: Final = 3
NAMES: Final = ("one", "two")
APART: Final[tuple[tuple[int, ...], ...]] = ((0,), (1,), (0, 1))
"""Which instances are out of reach at once."""
LONGER: Final = 1.0
"""Seconds for which they are out of reach after claims were decided, or tables have noticed."""
PUBLISH_LIMIT: Final = 3.0
"""Seconds in which a leader publishes an entry while tables play."""
UNDER_WAY: Final = 0.5
"""Seconds in which what has passed a link before is written."""
SETTLE_LIMIT: Final = 120.0
"""Seconds in which everything is decided when nothing more happens."""
PERSONS: Final = ("A. Smith", "B. Jones")
CLAIMS: Final = 3
"""Claims that get their amounts between two interruptions."""


class LinkedHouse:
    """A linked progressive whose instances run, with tables that play. `subject`: of its log."""

    def __init__(
        self,
        tables: LinkedTables,
        links: Sequence[Link],
        subject: str,
        read_log: Callable[[], Awaitable[list[LogEntry]]],
    ) -> None:
        self.tables, self._links, self.read_log = tables, links, read_log
        self._trap = f"PUB {subject} ".encode()
        self.found = Findings()

    async def separate(self, which: Sequence[int]) -> None:
        """These instances are out of reach for a while, from the moment at which one of them publishes."""
        links = [self._links[number] for number in which]
        for one in links:
            one.hold_at(self._trap)
        with suppress(DrillError):  # an instance that follows publishes nothing
            await until(lambda: any(one.held for one in links), PUBLISH_LIMIT)
        for one in links:
            one.hold()
        try:
            if len(links) < len(self._links):
                await self.until_decided(f"instance {NAMES[which[0]]} got out of reach")
                await asyncio.sleep(LONGER)
            else:
                await self._check_nothing_is_decided()
        finally:
            for one in links:
                one.release()
        await self.until_decided(f"instances {', '.join(NAMES[number] for number in which)} were back")

    async def until_decided(self, when: str) -> None:
        """Some claims get their amounts, or a table has heard a fault. Raises DrillError."""
        wanted = self.tables.won + CLAIMS
        try:
            await until(lambda: self.tables.won >= wanted or self.tables.faults)
        except DrillError as error:
            raise DrillError(f"too few claims were decided after {when}: {error}") from error

    async def _check_nothing_is_decided(self) -> None:
        await asyncio.sleep(UNDER_WAY)
        before = await self.read_log()
        await asyncio.sleep(SILENCE + LONGER)
        self.found.check(await self.read_log() == before, "the log grew while both instances were apart")
        states = self.tables.states
        self.found.check(states == {"lost"}, f"without amounts the level is {', '.join(states)} at tables")

    async def settle(self) -> list[LogEntry]:
        """Wait until everything is decided, or a table has heard a fault. Returns the log. Raises DrillError,
        and what BROKEN lists."""
        end = time.monotonic() + SETTLE_LIMIT
        while time.monotonic() < end:
            try:
                log = await self.read_log()
                if self.tables.faults or self.tables.are_settled(_level(log)):
                    return log
            except StreamAway:
                pass
            await self.tables.settle()
            await asyncio.sleep(PAUSE)
        raise DrillError(f"claims or wagers are undecided after {SETTLE_LIMIT:g} s")


def _level(log: Sequence[LogEntry]) -> LinkedLevel:
    return reduce(apply, log, LinkedLevel(LEVEL, demo=True))


async def instances(folder: Path, seconds: float, *, size: int = NODES) -> Findings:
    """Each kind of interruption once, and then any of them for so many seconds."""
    chance = Random(1)
    async with linked_house(folder, size) as (at, journals):
        playing = asyncio.create_task(at.tables.play())
        try:
            end = time.monotonic() + seconds
            await at.until_decided("the start")
            for which in APART:
                await at.separate(which)
            while time.monotonic() < end:
                await at.separate(chance.choice(APART))
        finally:
            at.tables.stop()
            await playing
        try:
            log = await at.settle()
            _check(at, log)
            for journal in journals:
                await _check_journal(at, journal, log)
        except BROKEN as error:
            at.found.faults.append(str(error) or type(error).__name__)
        at.found.faults.extend(sorted(at.tables.faults))
    return at.found


def _check(at: LinkedHouse, log: Sequence[LogEntry]) -> None:
    """One order, balanced books, and one amount for each claim. Raises Violation."""
    at.tables.compare(log)
    at.found.check(check_claims(log, at.tables.tables) > 0, "no claim was decided")
    check_meters(_level(log), at.tables.tables)


async def _check_journal(at: LinkedHouse, journal: Path, log: Sequence[LogEntry]) -> None:
    """Both instances have the log."""
    try:
        await until(lambda: [one.hash for one in _entries(journal)][: len(log)] == [one.hash for one in log])
    except DrillError:
        at.found.faults.append(f"journal {journal.parent.parent.name} is not the log")


def _entries(journal: Path) -> list[LogEntry]:
    rows = History(journal).rows()
    return [read_entry(row.content.body.encode()) for row in rows if row.content.kind == ENTRY]


@asynccontextmanager
async def linked_house(folder: Path, size: int) -> AsyncIterator[tuple[LinkedHouse, list[Path]]]:
    """With the journals of both instances."""
    subjects = PropertySubjects(PROPERTY)
    async with cluster(folder / "servers", size) as servers, AsyncExitStack() as stack:
        await servers.prepare(Deployment(PROPERTY, size, levels=(LEVEL,)))
        client = await stack.enter_async_context(connection(servers.servers))
        floor, files = Signer(make_key()), [LevelFiles(folder / name, name) for name in NAMES]
        store_key(make_key(), files[0].key)
        store_key(read_key(files[0].key), files[1].key)
        links = [await stack.enter_async_context(link(_ports(servers))) for _ in NAMES]
        for one, way in zip(files, links, strict=True):
            one.write(PROPERTY, way.addresses, floor.public.hex(), replicas=size)
            await stack.enter_async_context(_instance(one))
        tables = LinkedTables(client, subjects, TABLES, bytes.fromhex(files[0].public))
        await tables.listen()
        desk = LevelDesk(client, subjects, floor, PERSONS)
        await _open(desk, tables)

        async def read_log() -> list[LogEntry]:
            return await log_entries(client.jetstream(), subjects)

        yield (
            LinkedHouse(tables, links, subjects.progressive_log(LEVEL), read_log),
            [one.journal for one in files],
        )


async def _open(desk: LevelDesk, tables: LinkedTables) -> None:
    """Raises DrillError."""
    try:
        async with asyncio.timeout(START_LIMIT):
            await desk.open()
            for admission in tables.admissions:
                await desk.admit(admission)
    except TimeoutError:
        raise DrillError(f"no instance decides in the first {START_LIMIT:g} s") from None


def _ports(servers: Cluster) -> list[int]:
    return [node.port for node in servers.nodes]


@asynccontextmanager
async def _instance(files: LevelFiles) -> AsyncIterator[Process]:
    """`tableside floor progressive`, inside the block."""
    words = ("-m", MODULE, "progressive", "--config", str(files.config))
    with (files.folder / "progressive.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *DIES_WITH_US, sys.executable, *words, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        await end_process(process, END_LIMIT)
