"""A house with a real server, two real instances of a linked progressive, and tables that play for it."""

import asyncio
import json
import shutil
import signal
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from controller.demo.reservations import free_port
from controller.floor.authority.authority import Authority
from controller.floor.authority.server_files import accounts
from controller.floor.connection import Servers, connection
from controller.floor.drills.interleavings.exploration import PARAMETERS, TWO
from controller.floor.drills.interleavings.invariants import check_claims, check_meters
from controller.floor.drills.interleavings.world import LEVEL, Table
from controller.floor.nats_server import PROGRAM, nats_program
from controller.floor.progressive.entry_journal import EntryJournal
from controller.floor.progressive.log_stream import LogStream, StreamAway
from controller.floor.streams import Deployment, prepare
from controller.jackpot.linked.apply import apply
from controller.jackpot.linked.entries import Leader, LogEntry
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import (
    Admission,
    Admit,
    Amount,
    LevelParameters,
    SetParameters,
    read_amount,
)
from controller.journal.signing import Signer
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects
from drivers.key_files import key_text
from tests.fixtures.fork_server import start_module
from tests.fixtures.waiting import PATIENCE, come_true

SUBJECTS = PropertySubjects("house")
FLOOR_KEY = bytes(range(32))
FLOOR = Signer(FLOOR_KEY)
PROGRESSIVE_KEY = bytes(range(1, 33))
PROGRESSIVE = Signer(PROGRESSIVE_KEY)
CONFIG = """
property = "house"
level = "sevens"
instance = "{name}"
servers = ["{address}"]
floor = ["{floor}"]
journal = "{name}/journal"
mirror = "{name}-mirror/journal"
key = "progressive.key"
replicas = 1
credentials = "{credentials}"
"""
SEND_PAUSE = 0.15
"""Seconds between two sendings of a table; a real one waits a second."""


class Server:
    """A server whose stores can be put back. It keeps its port, and admits whom its authority has signed
    for."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        self._process: Process | None = None
        folder.mkdir()
        self.authority = Authority(folder / "authority", "house")
        self.authority.prepare(int(time.time()))

    @property
    def address(self) -> str:
        return f"nats://127.0.0.1:{self._port}"

    async def start(self) -> None:
        config = self._folder / "server.conf"
        store = json.dumps(str(self._folder))
        config.write_text(
            f'host: "127.0.0.1"\nport: {self._port}\n'
            f"jetstream {{ store_dir: {store}, sync_interval: always }}\n"
            + "\n".join(accounts(self.authority))
        )
        with (self._folder / f"{PROGRAM}.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                nats_program(), "-c", str(config), stdout=log, stderr=log
            )

    def refusals(self) -> list[str]:
        """What it has refused to clients."""
        lines = (self._folder / f"{PROGRAM}.log").read_text().splitlines()
        return [line for line in lines if "Violation" in line or "authentication error" in line]

    async def kill(self) -> None:
        if self._process:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    def store(self, stream: str) -> Path:
        return self._folder / "jetstream" / self.authority.account / "streams" / stream

    async def keep(self, stream: str) -> Path:
        """A copy of a stream as it is now."""
        await self.kill()
        kept = self._folder / f"kept-{stream}"
        shutil.copytree(self.store(stream), kept)
        await self.start()
        return kept

    async def put_back(self, stream: str, kept: Path) -> None:
        await self.kill()
        shutil.rmtree(self.store(stream))
        shutil.copytree(kept, self.store(stream))
        await self.start()


@dataclass
class InstanceProcess:
    """An instance as a process of its own."""

    name: str
    folder: Path
    process: Process | None = None
    logged: int = 0
    """Bytes of the log when it was started last."""

    @property
    def journal(self) -> Path:
        return self.folder / self.name / "journal"

    @property
    def mirror(self) -> Path:
        return self.folder / f"{self.name}-mirror" / "journal"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    async def start(self) -> None:
        config = self.folder / f"{self.name}.toml"
        self.logged = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = await start_module(("controller", "progressive", "--config", str(config)), log)

    def pause(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGCONT)

    async def kill(self) -> None:
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """The exit status; 0 if it does not run."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> int:
        if self.process is None:
            return 0
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        status = await self.process.wait()
        self.process = None
        return status

    def lines(self) -> list[dict[str, Any]]:
        """What it has logged since its last start."""
        text = self.log.read_bytes()[self.logged :].decode()
        return [json.loads(line[line.index("{") :]) for line in text.splitlines() if "{" in line]

    def phase(self) -> str:
        """The last one that it has logged."""
        phases = ("starting", "following", "leading", "inoperable")
        return next((one["event"] for one in reversed(self.lines()) if one["event"] in phases), "")

    def entries(self) -> list[LogEntry]:
        """Those of its journal; it must not run."""
        journal = EntryJournal(self.journal, self.mirror, PROGRESSIVE)
        try:
            return list(journal.read())
        finally:
            journal.close()


@dataclass
class House:
    folder: Path
    server: Server
    client: Client
    instances: tuple[InstanceProcess, InstanceProcess]
    tables: list[Table]
    signers: dict[str, Signer]
    chance: Random
    amounts: list[tuple[float, Amount]] = field(default_factory=list)
    """Each with its time, in monotonic seconds."""
    admins: int = 0
    playing: bool = False

    @property
    def log(self) -> LogStream:
        return LogStream(self.client.jetstream(), SUBJECTS.progressive_log(LEVEL))

    async def entries(self) -> list[LogEntry]:
        found = list[Any]()
        while more := await self.log.after(found[-1].sequence if found else 0, 0):
            found += more
        return [one.entry for one in found]

    async def state(self) -> LinkedLevel:
        state = LinkedLevel(LEVEL)
        for entry in await self.entries():
            state = apply(state, entry)
        return state

    async def leader(self) -> InstanceProcess:
        """The one that leads by the log."""
        names = [
            outcome.instance
            for entry in await self.entries()
            for outcome in entry.out
            if isinstance(outcome, Leader)
        ]
        return next(one for one in self.instances if one.name == names[-1])

    async def amount(self) -> Amount:
        """The next one."""
        known = len(self.amounts)
        await come_true(lambda: len(self.amounts) > known)
        return self.amounts[-1][1]

    async def send(self, subject: str, payload: bytes, signer: Signer) -> None:
        """A message that may or may not arrive."""
        message = SignedMessage.make(subject, payload, signer)
        with suppress(TimeoutError, APIError, nats.errors.Error):
            await self.client.jetstream().publish(subject, payload, headers=message.headers(), timeout=0.5)

    async def decide(self, kind: Any, value: Any, about: int | None = None) -> None:
        """Two persons decide."""
        self.admins += 1
        seen = self.amounts[-1][1].n if about is None else about
        message = kind(
            level=LEVEL, id=f"a{self.admins}", about=seen, value=value, who=TWO, why="test", issued=1.0
        )
        await self.send(SUBJECTS.administration(LEVEL), message.payload, FLOOR)

    async def open(self) -> None:
        """Admit the tables, and set the first parameters."""
        await come_true(lambda: bool(self.amounts))
        for table in self.tables:
            value = Admission(table=table.name, epoch=table.epoch, public=table.signer)
            await self.decide(Admit, value)
        await self.decide(SetParameters, LevelParameters.of(PARAMETERS))
        await come_true(lambda: self.amounts[-1][1].state == "open")

    async def send_all(self, table: Table) -> None:
        for sent in table.messages():
            await self.send(
                SUBJECTS.reading(LEVEL, table.name), sent.message.payload, self.signers[table.name]
            )

    async def play_round(self, table: Table) -> None:
        """One round, whose wagers count when this returns."""
        table.play(self.chance)
        known = table.reading.meters

        async def counted() -> bool:
            return (await self.state()).contributors[table.name, table.epoch].known == known

        await self._repeat(lambda: self.send_all(table), counted)

    async def play(self) -> None:
        """Rounds, wins and steps at random, until `playing` is false."""
        self.playing = True
        while self.playing:
            for table in self.tables:
                self.chance.choice((table.play, table.play, table.play, table.win, table.step))(self.chance)
                await self.send_all(table)
            await asyncio.sleep(SEND_PAUSE)

    async def settle(self) -> None:
        """Tables repeat their messages until everything is decided."""
        self.playing = False

        async def decided() -> bool:
            state = await self.state()
            return not state.open and all(
                not table.level.undecided
                and not table.level.unconfirmed
                and all(claim in table.steps for claim in table.claims)
                and state.contributors[table.name, table.epoch].known == table.reading.meters
                for table in self.tables
            )

        async def step_and_send() -> None:
            for table in self.tables:
                table.step(self.chance)
                await self.send_all(table)

        await self._repeat(step_and_send, decided)

    async def ended_claims(self) -> list[str]:
        """The states of all claims, once the tables' last steps have come to the level."""

        async def all_ended() -> bool:
            state = await self.state()
            return bool(state.ended) and not state.open

        async def wait() -> None:
            """The tables send by themselves."""

        await self._repeat(wait, all_ended)
        return [claim.state for claim in (await self.state()).ended.values()]

    async def _repeat(self, act: Callable[[], Awaitable[None]], asked: Callable[[], Awaitable[bool]]) -> None:
        """Act again and again until the answer is yes; the server may be away meanwhile."""
        end = time.monotonic() + PATIENCE
        while not await _answered(asked):
            assert time.monotonic() < end, [one.phase() for one in self.instances]
            await act()
            await asyncio.sleep(SEND_PAUSE)

    async def check(self) -> int:
        """One order, balanced books, one amount for each claim; both journals are the log. Returns how many
        claims there were."""
        assert not [table.level.conflict for table in self.tables if table.level.conflict]
        for one in self.instances:
            assert await one.stop() == 0
        for one in self.instances:
            await one.start()
            await come_true(lambda one=one: one.phase() == "leading")  # type: ignore[misc]
            assert await one.stop() == 0
        log, state = await self.entries(), await self.state()
        first, second = (one.entries() for one in self.instances)
        assert first == log[:-1]
        assert second == log
        check_meters(state, self.tables)
        return check_claims(log, self.tables)

    def hear(self, message: Msg) -> None:
        """What all tables do with an amount: its signature must be the progressive's."""
        signed = SignedMessage.received(message.subject, message.data, message.headers)
        payload = signed.verify({PROGRESSIVE.public})
        now = time.monotonic()
        self.amounts.append((now, read_amount(payload)))
        for table in self.tables:
            table.hear(payload, now)


async def _answered(asked: Callable[[], Awaitable[bool]]) -> bool:
    try:
        return await asked()
    except StreamAway:
        return False


@asynccontextmanager
async def house(folder: Path, *, tables: int = 3, seed: int = 1) -> AsyncIterator[House]:
    """Nothing runs yet but the server."""
    server = Server(folder / "server")
    instances = InstanceProcess("p1", folder), InstanceProcess("p2", folder)
    granted = server.authority.make_credentials("progressive", LEVEL, int(time.time()))
    for one in instances:
        (folder / f"{one.name}.toml").write_text(
            CONFIG.format(
                name=one.name, address=server.address, floor=FLOOR.public.hex(), credentials=granted
            )
        )
        one.journal.parent.mkdir()
        one.mirror.parent.mkdir()
    key = folder / "progressive.key"
    key.write_text(key_text(PROGRESSIVE_KEY))
    key.chmod(0o600)
    seats = [Table.new(number) for number in range(1, tables + 1)]
    signers = {table.name: Signer(bytes([number] * 32)) for number, table in enumerate(seats, 1)}
    for table in seats:
        table.signer = signers[table.name].public.hex()
    await server.start()
    try:
        everybody = server.authority.full_credentials(int(time.time()))
        servers = Servers((server.address,), "house", "_INBOX_house", None, everybody)
        async with connection(servers) as client:
            await prepare(client.jetstream(), Deployment("house", levels=(LEVEL,)))
            found = House(folder, server, client, instances, seats, signers, Random(seed))

            async def hear(message: Msg) -> None:
                found.hear(message)

            await client.subscribe(SUBJECTS.amount(LEVEL), cb=hear)
            try:
                yield found
            finally:
                found.playing = False
                for one in instances:
                    await one.kill()
            assert not server.refusals()
    finally:
        await server.kill()
