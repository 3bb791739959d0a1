"""A hub and two properties, each with a server from the files of `floor prepare`, an instance of a level at
the hub, and a table at each property. The links between properties and hub can be cut."""

import asyncio
import json
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from controller.demo.processes import DIES_WITH_US, end_process
from controller.demo.reservations import free_port
from controller.floor.authority.authority import Authority
from controller.floor.authority.server_files import ServerPaths, server_file
from controller.floor.connection import PROMPT, Servers, connection
from controller.floor.drills.interleavings.exploration import PARAMETERS, TWO
from controller.floor.drills.interleavings.world import LEVEL, Table
from controller.floor.nats_server import nats_program
from controller.floor.progressive.log_stream import LogStream
from controller.floor.service.preparing import prepare_floor, prepare_keys
from controller.floor.settings import FloorConfig, read_floor
from controller.floor.streams import PROGRESSIVE_IN, StreamError
from controller.jackpot.linked.entries import LogEntry
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
from controller.property.subjects import HUB, PropertySubjects
from drivers.key_files import key_text
from tests.controller.floor.progressive.house import (
    CONFIG,
    FLOOR,
    PROGRESSIVE,
    PROGRESSIVE_KEY,
    InstanceProcess,
)
from tests.fixtures.waiting import come_true

PROPERTIES = ("north", "south")


class Link:
    """Passes on what the servers of a property and of the hub say, until it is cut."""

    def __init__(self, hub: int) -> None:
        self._hub, self.port = hub, free_port()
        self._server: asyncio.Server | None = None
        self._writers = list[asyncio.StreamWriter]()

    async def join(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    def cut(self) -> None:
        if self._server:
            self._server.close()
        for writer in self._writers:
            writer.close()
        self._writers.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_hub, of_hub = await asyncio.open_connection("127.0.0.1", self._hub)
        self._writers += [writer, of_hub]
        await asyncio.gather(_pass_on(reader, of_hub), _pass_on(to_hub, writer))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with closing(writer), suppress(OSError):
        while found := await reader.read(1 << 16):
            writer.write(found)


@dataclass
class Site:
    """The hub or a property, with one server in `folder`."""

    folder: Path
    name: str
    port: int = field(default_factory=free_port)
    process: Process | None = None

    @property
    def authority(self) -> Authority:
        return Authority(self.folder / "authority", self.name)

    @property
    def config(self) -> FloorConfig:
        return read_floor(self.folder / "floor.toml")

    @property
    def servers(self) -> Servers:
        """With all rights."""
        credentials = self.authority.full_credentials(int(time.time()))
        return Servers(self.config.servers, "all", f"_INBOX_{self.name}", None, credentials, PROMPT)

    def write(self, *lines: str) -> None:
        self.folder.mkdir()
        server = f'servers = ["nats://127.0.0.1:{self.port}"]'
        own = (f'property = "{self.name}"', server, 'authority = "authority"')
        (self.folder / "floor.toml").write_text("\n".join((*own, *lines)))
        prepare_keys(self.config)

    async def start(self) -> None:
        """With the file of `prepare`, and a disk of its own."""
        [address] = self.config.servers
        path = self.folder / "authority" / "servers" / server_file(address)
        path.write_text(path.read_text().replace(str(ServerPaths().store), str(self.folder / "store")))
        with (self.folder / "server.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *DIES_WITH_US, nats_program(), "-c", str(path), stdout=log, stderr=log
            )
        try:
            await asyncio.to_thread(prepare_floor, self.config)
        except StreamError as error:
            error.add_note((self.folder / "server.log").read_text())
            raise

    async def stop(self) -> None:
        if self.process:
            await end_process(self.process, 10)


@dataclass
class Seat:
    """A table at a property."""

    name: str
    client: Client
    table: Table
    signer: Signer
    link: Link
    amounts: list[Amount] = field(default_factory=list)

    def state(self) -> str:
        return self.table.level.state(time.monotonic())

    async def hear(self, message: Msg) -> None:
        signed = SignedMessage.received(message.subject, message.data, message.headers)
        payload = signed.verify({PROGRESSIVE.public})
        self.amounts.append(read_amount(payload))
        self.table.hear(payload, time.monotonic())

    async def send(self) -> None:
        """All that the table repeats, until the hub has stored it."""
        subject = PropertySubjects(self.name).reading(LEVEL, self.table.name)
        for sent in self.table.messages():
            message = SignedMessage.make(subject, sent.message.payload, self.signer)
            with suppress(TimeoutError, APIError, nats.errors.Error):
                await self.client.jetstream().publish(
                    subject, message.payload, headers=message.headers(), stream=PROGRESSIVE_IN, timeout=1
                )


@dataclass
class WideArea:
    hub: Site
    client: Client
    instance: InstanceProcess
    seats: tuple[Seat, Seat]
    chance: Random = field(default_factory=lambda: Random(1))

    async def entries(self) -> list[LogEntry]:
        log = LogStream(self.client.jetstream(), PropertySubjects(HUB).progressive_log(LEVEL))
        return [one.entry for one in await log.after(0, 0)]

    async def decide(self, kind: Any, value: Any, decision: str) -> None:
        """Two persons at the hub decide."""
        entries = await self.entries()
        message = kind(
            level=LEVEL, id=decision, about=entries[-1].n, value=value, who=TWO, why="test", issued=1.0
        )
        subject = PropertySubjects(HUB).administration(LEVEL)
        signed = SignedMessage.make(subject, message.payload, FLOOR)
        await self.client.jetstream().publish(subject, signed.payload, headers=signed.headers())

    async def open(self) -> None:
        for seat in self.seats:
            value = Admission(table=seat.table.name, epoch=seat.table.epoch, public=seat.table.signer)
            await self.decide(Admit, value, f"admit-{seat.name}")
        await self.decide(SetParameters, LevelParameters.of(PARAMETERS), "parameters")
        await come_true(lambda: all(seat.state() == "open" for seat in self.seats))


@asynccontextmanager
async def wide_area(folder: Path) -> AsyncIterator[WideArea]:
    hub, leaves = Site(folder / HUB, HUB), free_port()
    names = json.dumps(PROPERTIES)
    hub.write(f"properties = {names}", f'leaves = ["nats://127.0.0.1:{leaves}"]', f'levels = ["{LEVEL}"]')
    async with AsyncExitStack() as stack:
        stack.push_async_callback(hub.stop)
        await hub.start()
        instance = _instance(folder, hub)
        stack.push_async_callback(instance.kill)
        await instance.start()
        first, second = [
            await _seat(stack, hub, name, Link(leaves), number) for number, name in enumerate(PROPERTIES, 1)
        ]
        client = await stack.enter_async_context(connection(hub.servers))
        yield WideArea(hub, client, instance, (first, second))


def _instance(folder: Path, hub: Site) -> InstanceProcess:
    one = InstanceProcess("p1", folder)
    one.journal.parent.mkdir()
    one.mirror.parent.mkdir()
    key = folder / "progressive.key"
    key.write_text(key_text(PROGRESSIVE_KEY))
    key.chmod(0o600)
    granted = hub.authority.make_credentials("progressive", LEVEL, int(time.time()))
    [address] = hub.config.servers
    text = CONFIG.format(name=one.name, address=address, floor=FLOOR.public.hex(), credentials=granted)
    text = text.replace('property = "house"', f'property = "{HUB}"\nproperties = {json.dumps(PROPERTIES)}')
    (folder / f"{one.name}.toml").write_text(text)
    return one


async def _seat(stack: AsyncExitStack, hub: Site, name: str, link: Link, number: int) -> Seat:
    site = Site(hub.folder.parent / name, name)
    granted = hub.authority.make_credentials("property", name, int(time.time()))
    site.write(
        'levels = ["own"]',
        "[hub]",
        f'servers = ["nats://127.0.0.1:{link.port}"]',
        f'credentials = "{granted}"',
    )
    await link.join()
    stack.callback(link.cut)
    stack.push_async_callback(site.stop)
    await site.start()
    client = await stack.enter_async_context(connection(site.servers))
    table, signer = Table.new(number), Signer(bytes([number] * 32))
    table.signer = signer.public.hex()
    seat = Seat(name, client, table, signer, link)
    await client.subscribe(PropertySubjects(name).amount(LEVEL), cb=seat.hear)
    return seat
