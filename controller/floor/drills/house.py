"""A property in a temporary folder: its servers, its floor as a process, and synthetic tables."""

import asyncio
import signal
import sys
import time
from abc import ABC, abstractmethod
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from controller.demo.processes import DIES_WITH_US, RestartableProcess, kill_process
from controller.floor.day_file import FloorHead, JournalName, Position
from controller.floor.drills.cluster import Cluster, cluster
from controller.floor.drills.outcome import Findings, WrittenJournal, compare
from controller.floor.drills.shipping import UplinkPlan
from controller.floor.drills.synthetic import SyntheticTable
from controller.floor.keys import prepared_signer
from controller.floor.projector import STREAM, Admission
from controller.floor.register import Decision, DecisionKind, FloorRegister, KeptIncident
from controller.floor.service.service import FloorService
from controller.floor.settings import FloorConfig, read_floor
from controller.floor.store import FloorStore
from controller.floor.store_file import StoreError
from controller.process.tasks import end_tasks

PROPERTY: Final = "drill"
CONFIG: Final = "floor.toml"
PERSONS: Final = ("drill", "drill")
"""Who decides about journals in a drill."""
START_LIMIT: Final = 60.0
LOOK: Final = 0.05
"""Seconds between two looks at something that is awaited."""
END_LIMIT: Final = 20.0


class DrillError(Exception):
    """A drill cannot be carried out. The message says why."""


class FloorFolder(ABC):
    """The configuration of a floor, its key and its store in `folder`."""

    def __init__(self, folder: Path, servers: Sequence[str], replicas: int, more: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        addresses = ", ".join(f'"{address}"' for address in servers)
        (folder / CONFIG).write_text(
            f'property = "{PROPERTY}"\nservers = [{addresses}]\nreplicas = {replicas}\n{more}',
            encoding="utf-8",
        )
        self.signer = prepared_signer(Path(self.config.key))

    @property
    def config(self) -> FloorConfig:
        return read_floor(self._folder / CONFIG)

    @abstractmethod
    async def start(self) -> None:
        """Store what the tables send, until it is stopped."""

    @abstractmethod
    async def stop(self) -> None:
        """End in order."""

    @abstractmethod
    async def kill(self) -> None:
        """End at once."""

    def decide(self, kind: DecisionKind, name: JournalName, admission: Admission) -> None:
        """As two persons do."""
        with self._register() as register:
            register.decide(Decision(kind, name, admission, *PERSONS, "drill", round(time.time(), 3)))

    def incidents(self) -> list[KeptIncident]:
        """All of them, also those that have ended."""
        with self._register() as register:
            return register.incidents(ended=True)

    def heads(self) -> dict[JournalName, FloorHead]:
        try:
            with self.store() as store:
                return store.newest.heads()
        except StoreError:  # the process makes its file just now
            return {}

    def reached(self, name: JournalName) -> int:
        """The last row that is stored."""
        head = self.heads().get(name)
        return head.row if head else 0

    def position(self) -> Position:
        """How far the floor has read the stream; it counts how often that was put back."""
        with self.store() as store:
            return store.newest.position(STREAM)

    def store(self) -> FloorStore:
        config = self.config
        return FloorStore(Path(config.stores), config.calendar(), time.time)

    def _register(self) -> FloorRegister:
        return FloorRegister(Path(self.config.stores), time.time)


class FloorProcess(RestartableProcess, FloorFolder):
    """`tableside floor run`."""

    end_limit = END_LIMIT

    @property
    def log(self) -> Path:
        return self._folder / "floor.log"

    async def start(self) -> None:
        """Returns when it has begun to store."""
        begin = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            words = ("-m", "controller", "floor", "run", "--config", str(self._folder / CONFIG))
            self.process = process = await asyncio.create_subprocess_exec(
                *DIES_WITH_US, sys.executable, *words, stdout=log, stderr=log
            )
        await until(lambda: process.returncode is not None or b'"event": "floor"' in self._logged(begin))
        if process.returncode is not None:
            raise DrillError(f"the floor ended with status {process.returncode}: see {self.log}")

    def _logged(self, begin: int) -> bytes:
        return self.log.read_bytes()[begin:]


class FloorTask(FloorFolder):
    """The service as a task of this process, for drills that do not kill it."""

    task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self.task = asyncio.create_task(FloorService(self.config, self.signer).run())

    async def stop(self) -> None:
        if self.task:
            await end_tasks([self.task])
            self.task = None

    async def kill(self) -> None:
        await self.stop()


class UplinkProcess:
    """An uplink that can be killed. `acknowledged`: the last row that the stream or the floor has of the
    table's journal."""

    def __init__(self, folder: Path, table: SyntheticTable, plan: UplinkPlan) -> None:
        self._log, self._table, self._plan = folder / f"{plan.table}.log", table, plan
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self.acknowledged = 0

    async def start(self) -> None:
        words = ("-m", "controller.floor.drills.shipping", *self._plan.words())
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *DIES_WITH_US, sys.executable, *words, stdin=PIPE, stdout=PIPE, stderr=log
            )
        self._reading = asyncio.create_task(self._read(self._process))
        self.disclose()

    def disclose(self) -> None:
        """Let it ship what the table has."""
        if self._process and self._process.stdin and self._process.returncode is None:
            self._process.stdin.write(b"%d\n" % self._table.disclosed)

    async def kill(self) -> None:
        if self._process:
            await kill_process(self._process)
            self._process = None
        if self._reading:
            await self._reading

    def pause(self) -> None:
        """It stands still until it goes on, and knows then what it knew before."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process and self._process.returncode is None:
            self._process.send_signal(number)

    async def _read(self, process: Process) -> None:
        while process.stdout and (line := await process.stdout.readline()):
            self.acknowledged = max(self.acknowledged, int(line))


class House:
    """Everything of a drill. Tables are admitted when they are added; their journals lie in `journals`."""

    def __init__(self, folder: Path, servers: Cluster, floor: FloorFolder, journals: Path) -> None:
        self.folder, self.cluster, self.floor, self._journals = folder, servers, floor, journals
        self.tables: list[SyntheticTable] = []
        self.found = Findings()

    def add_table(self, name: str, clock: Callable[[], float] = time.time) -> SyntheticTable:
        table = SyntheticTable(self._journals / name, name, clock)
        self.tables.append(table)
        self.floor.decide("admit", table.journal_name, table.admission)
        return table

    def plan(self, table: SyntheticTable) -> UplinkPlan:
        keys = (self.floor.signer.public.hex(),)
        return UplinkPlan(PROPERTY, table.name, table.epoch, table.path, self.cluster.addresses, keys)

    def reached(self, table: SyntheticTable) -> int:
        """The last row that the floor has stored."""
        return self.floor.reached(table.journal_name)

    async def until_stored(self, limit: float = START_LIMIT) -> bool:
        """Whether the floor has all that the tables may disclose before the limit."""
        names = {table.journal_name: table for table in self.tables}

        def is_level() -> bool:
            heads = self.floor.heads()
            return all(name in heads and heads[name].row >= one.disclosed for name, one in names.items())

        try:
            await until(is_level, limit)
        except DrillError:
            return False
        return True

    def note_rows(self, *more: WrittenJournal) -> None:
        """Compare what is stored with the journals."""
        with self.floor.store() as store:
            self.found.rows = compare(store, (*self.tables, *more))
        self.found.incidents = self.floor.incidents()


async def until(condition: Callable[[], object], limit: float = START_LIMIT) -> None:
    """Return when the condition holds. Raises DrillError."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise DrillError(f"not after {limit:g} s")
        await asyncio.sleep(LOOK)


@asynccontextmanager
async def house(
    folder: Path,
    *,
    tables: int = 0,
    nodes: int = 1,
    sync_interval: str = "always",
    floor_kind: type[FloorFolder] = FloorTask,
    journals: Path | None = None,
) -> AsyncIterator[House]:
    """A house whose servers and floor run, with so many tables, whose uplinks do not. `journals`: where the
    tables write, if not in `folder`."""
    async with cluster(folder / "servers", nodes, sync_interval) as servers:
        floor = floor_kind(folder / "floor", servers.addresses, nodes)
        await servers.prepare(floor.config.deployment())
        found = House(folder, servers, floor, journals or folder)
        try:
            for number in range(1, tables + 1):
                found.add_table(f"t-{number}")
            await floor.start()
            yield found
        finally:
            await floor.stop()
            for table in found.tables:
                table.close()
