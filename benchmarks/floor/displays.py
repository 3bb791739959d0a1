"""A linked progressive on three servers: how soon a contribution is on a thousand displays, and how long no
amount comes when the instance that leads is killed.

Both instances are processes. Some of the displays read each amount as a table does, with its signature; the
others only receive it.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Final

from nats.aio.client import Client
from nats.aio.msg import Msg

from benchmarks.floor.crowd import crowd
from benchmarks.floor.figures import COUNT, MILLISECONDS, SECONDS, Figure, percentile
from controller.demo.processes import DIES_WITH_US, RestartableProcess
from controller.floor.connection import Servers, connection
from controller.floor.demo.level import LEVEL, PARAMETERS, LevelDesk
from controller.floor.drills.cluster import Cluster, cluster
from controller.floor.drills.house import END_LIMIT, PROPERTY, until
from controller.floor.progressive.log_stream import LogStream
from controller.floor.streams import PROGRESSIVE_IN, Deployment
from controller.jackpot.linked.entries import Leader
from controller.jackpot.linked.messages import Admission, Amount, MeterReading, read_amount
from controller.journal.signing import Signer
from controller.process.tasks import end_tasks
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects
from drivers.key_files import make_key, read_key, store_key

NODES = 3
DISPLAYS = 1000
READING_DISPLAYS = 6
"""Those that read each amount, two at each server."""
TABLES = 17
RATE = 17.0
"""Contributions a second: a thousand tables at 60 rounds an hour."""
STAKE: Final = 1000
RISE: Final = int(STAKE * PARAMETERS.contribution)
"""Cents by which each contribution raises the amount."""
KILLS = 3
SETTLE: Final = 5.0
"""Seconds of play before and after each kill."""
LEAD_LIMIT: Final = 60.0
SUBJECTS: Final = PropertySubjects(PROPERTY)
KEY: Final = "progressive.key"
INSTANCES: Final = ("one", "two")
PERSONS: Final = ("Ann", "Bo")
"""Who decides about the level."""


@dataclass(slots=True)
class ReadingDisplay:
    """A display that verifies each amount. `seen`: when each amount came that is newer than those before, in
    monotonic seconds, and its cents."""

    key: bytes
    seen: list[tuple[float, int]] = field(default_factory=list)
    last: tuple[int, int] = (0, 0)

    async def take(self, message: Msg) -> None:
        signed = SignedMessage.received(message.subject, message.data, message.headers)
        amount: Amount = read_amount(signed.verify({self.key}))
        if (amount.n, amount.version) > self.last:
            self.last = amount.n, amount.version
            self.seen.append((time.monotonic(), amount.cents))


@dataclass(slots=True)
class Instance(RestartableProcess):
    """One of the two, as a process."""

    end_limit: ClassVar[float] = END_LIMIT
    name: str
    folder: Path

    async def start(self) -> None:
        words = ("-m", "controller", "progressive", "--config", str(self.folder / f"{self.name}.toml"))
        with (self.folder / f"{self.name}.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *DIES_WITH_US, sys.executable, *words, stdout=log, stderr=log
            )


@dataclass(slots=True)
class Level:
    """`contributed`: when each contribution was sent, in monotonic seconds."""

    client: Client
    instances: Sequence[Instance]
    key: bytes
    readings: dict[str, MeterReading]
    signers: dict[str, Signer]
    contributed: list[float] = field(default_factory=list)
    sending: set[asyncio.Task[None]] = field(default_factory=set)

    async def contribute(self) -> None:
        """One wager after the other, each at the next table, until cancelled. A reading that is lost is
        followed by one with a higher meter."""
        begun = time.monotonic()
        try:
            for number in range(sys.maxsize):
                await asyncio.sleep(begun + number / RATE - time.monotonic())
                table = f"t-{1 + number % len(self.readings)}"
                task = asyncio.create_task(self._send(table))
                self.sending.add(task)
                task.add_done_callback(self.sending.discard)
        finally:
            await end_tasks(self.sending)

    async def leader(self) -> Instance:
        """By the log."""
        log = LogStream(self.client.jetstream(), SUBJECTS.progressive_log(LEVEL))
        names, sequence = list[str](), 0
        while found := await log.after(sequence, 0):
            sequence = found[-1].sequence
            names += [one.instance for each in found for one in each.entry.out if isinstance(one, Leader)]
        return next(instance for instance in self.instances if instance.name == names[-1])

    async def _send(self, table: str) -> None:
        known = self.readings[table]
        reading = known.model_copy(
            update={
                "row": known.row + 1,
                "rounds": known.rounds + 1,
                "wagers": known.wagers + 1,
                "wagered": known.wagered + STAKE,
            }
        )
        self.readings[table] = reading
        signed = SignedMessage.make(SUBJECTS.reading(LEVEL, table), reading.payload, self.signers[table])
        self.contributed.append(time.monotonic())
        await self.client.jetstream().publish(
            signed.subject,
            signed.payload,
            stream=PROGRESSIVE_IN,
            headers=signed.headers(),
            timeout=LEAD_LIMIT,
        )


async def measure(folder: Path, seconds: float) -> list[Figure]:
    """`seconds` of contributions to all displays, and then the kills."""
    async with _level(folder) as (servers, level), AsyncExitStack() as stack:
        displays = [await _display(stack, servers, number, level.key) for number in range(READING_DISPLAYS)]
        ports, subject = [node.port for node in servers.nodes], SUBJECTS.amount(LEVEL)
        async with _contributing(level), crowd(ports, subject, DISPLAYS - READING_DISPLAYS) as others:
            begin = len(level.contributed)
            await asyncio.sleep(seconds)
            end = len(level.contributed)
            lags = await _lags(level, displays, range(begin, end))
        pauses = [await _kill(level, displays[0]) for _ in range(KILLS)]
    each = others.messages / (DISPLAYS - READING_DISPLAYS)
    return [
        Figure(
            f"contribution to {DISPLAYS} displays, {RATE:.0f} a second: p50",
            percentile(lags, 0.5) * 1e3,
            None,
            MILLISECONDS,
        ),
        Figure("  p99", percentile(lags, 0.99) * 1e3, 300, MILLISECONDS),
        Figure("  amounts that each of the other displays received", each, None, COUNT),
        Figure(f"leading instance killed, {KILLS} times: longest pause of amounts", max(pauses), 5, SECONDS),
    ]


async def _lags(level: Level, displays: Sequence[ReadingDisplay], which: range) -> list[float]:
    """Seconds from each of these contributions to each display that reads. The amount rises by the same
    cents each time."""
    wanted = PARAMETERS.seed + which.stop * RISE
    await until(lambda: all(one.seen and one.seen[-1][1] >= wanted for one in displays), LEAD_LIMIT)
    return [lag for one in displays for lag in _lags_of(level.contributed, one.seen, which)]


def _lags_of(
    contributed: Sequence[float], seen: Sequence[tuple[float, int]], which: range
) -> Iterator[float]:
    amounts = iter(seen)
    at, cents = next(amounts)
    for number in which:
        while cents < PARAMETERS.seed + (number + 1) * RISE:
            at, cents = next(amounts)
        yield at - contributed[number]


async def _kill(level: Level, display: ReadingDisplay) -> float:
    """The longest pause between two new amounts, in which the leader is killed while tables contribute."""
    async with _contributing(level):
        await asyncio.sleep(SETTLE)
        leader, begin = await level.leader(), len(display.seen)
        await leader.kill()
        contributions, amounts = len(level.contributed), len(display.seen)
        await until(lambda: len(display.seen) > amounts and _counted(display) > contributions, LEAD_LIMIT)
        await leader.start()
        await asyncio.sleep(SETTLE)
        times = [at for at, _cents in display.seen[max(0, begin - 1) :]]
    return max(later - earlier for earlier, later in pairwise(times))


def _counted(display: ReadingDisplay) -> int:
    """How many contributions the last amount has."""
    return (display.seen[-1][1] - PARAMETERS.seed) // RISE


@asynccontextmanager
async def _contributing(level: Level) -> AsyncIterator[None]:
    task = asyncio.create_task(level.contribute())
    try:
        yield
    finally:
        await end_tasks([task])


async def _display(stack: AsyncExitStack, servers: Cluster, number: int, key: bytes) -> ReadingDisplay:
    server = Servers((servers.addresses[number % servers.size],), f"display-{number}", f"_INBOX_{number}")
    client = await stack.enter_async_context(connection(server))
    display = ReadingDisplay(key)
    await client.subscribe(SUBJECTS.amount(LEVEL), cb=display.take)
    await client.flush()
    return display


@asynccontextmanager
async def _level(folder: Path) -> AsyncIterator[tuple[Cluster, Level]]:
    """The servers, both instances, and the tables, which are admitted."""
    floor = Signer(make_key())
    async with cluster(folder / "servers", NODES) as servers, connection(servers.servers) as client:
        await servers.prepare(Deployment(PROPERTY, NODES, levels=(LEVEL,)))
        instances = [_write(folder, name, servers, floor.public.hex()) for name in INSTANCES]
        try:
            for instance in instances:
                await instance.start()
            level = Level(client, instances, Signer(read_key(folder / KEY)).public, {}, {})
            desk = LevelDesk(client, SUBJECTS, floor, PERSONS)
            await desk.open()
            for number in range(1, TABLES + 1):
                await _admit(desk, level, number)
            yield servers, level
        finally:
            await asyncio.gather(*(instance.stop() for instance in instances))


async def _admit(desk: LevelDesk, level: Level, number: int) -> None:
    name, epoch, signer = f"t-{number}", f"{number:016x}", Signer(make_key())
    await desk.admit(Admission(table=name, epoch=epoch, public=signer.public.hex()))
    level.signers[name] = signer
    level.readings[name] = MeterReading(level=LEVEL, epoch=epoch)


def _write(folder: Path, name: str, servers: Cluster, floor: str) -> Instance:
    """Its configuration, and the key of both."""
    for journal in (name, f"{name}-mirror"):
        (folder / journal).mkdir()
    if not (folder / KEY).exists():
        store_key(make_key(), folder / KEY)
    fields: dict[str, object] = {
        "property": PROPERTY,
        "level": LEVEL,
        "instance": name,
        "servers": list(servers.addresses),
        "replicas": servers.size,
        "floor": [floor],
        "journal": f"{name}/journal",
        "mirror": f"{name}-mirror/journal",
        "key": KEY,
    }
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in fields.items())
    (folder / f"{name}.toml").write_text("".join(lines), "utf-8")
    return Instance(name, folder)
