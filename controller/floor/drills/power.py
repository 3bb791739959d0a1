"""Drill `power`: servers and the floor lose their power while tables play.

They store on disks of their own that forget whatever was not synced. A server that acknowledges a message
after its disk has it must have every acknowledged row when the power is back. One that acknowledges before,
as it does by default, must have lost some: a drill in which nothing is forgotten has shown nothing. Such
servers may even wait for each other for ever, and get empty disks then. In both cases the floor has
everything in the end, from the tables' journals.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import nats.errors
from nats.js.errors import APIError

from controller.floor.connection import connection
from controller.floor.day_file import JournalName
from controller.floor.demo.streams import published_ranges
from controller.floor.drills.cluster import PAUSE, START_LIMIT, ClusterError
from controller.floor.drills.disk.disk import Disk, forgetting_disk
from controller.floor.drills.house import PROPERTY, DrillError, FloorProcess, House, house, until
from controller.floor.drills.nodes import NODES, SYNC_INTERVALS, TABLES, PlayedHouse
from controller.floor.drills.outcome import Findings
from controller.property.subjects import PropertySubjects

ALWAYS: Final = "always"
MOST_PLAY: Final = 2.0
"""Seconds of play before a loss of power, at most."""
ANSWER_LIMIT: Final = 2.0
CATCH_UP_LIMIT: Final = 3.0
"""Seconds in which servers with a new leader show everything that they have."""
AcknowledgedRows = set[tuple[JournalName, int]]


@dataclass(frozen=True, slots=True)
class Disks:
    """Of each server, and of the floor's store."""

    servers: Sequence[Disk]
    floor: Disk


@asynccontextmanager
async def disks(folder: Path, size: int) -> AsyncIterator[Disks]:
    """Below the folder of a house, for so many servers. Raises DisksAbsentError."""
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(forgetting_disk(folder / "servers" / f"n{number}" / "store"))
            for number in range(1, size + 1)
        ]
        yield Disks(servers, await stack.enter_async_context(forgetting_disk(folder / "floor" / "stores")))


class PowerLosses:
    """`synced`: whether the servers acknowledge a message after their disks have it; `forgotten`: the rows
    that servers had acknowledged, and that no server had after a loss of power."""

    def __init__(
        self, at: House, places: Disks, played: PlayedHouse, chance: Random, *, synced: bool
    ) -> None:
        self._at, self._disks, self._played, self._chance = at, places, played, chance
        self._synced = synced
        self.forgotten = AcknowledgedRows()

    async def run(self, end: float) -> None:
        """Each kind of loss once, and everything is forgotten that was not synced. Then any of them until the
        end, and a random half of it is left."""
        sizes = sorted({1, max(1, self._at.cluster.size - 1), self._at.cluster.size}, reverse=True)
        kinds: list[Callable[[int | None], Awaitable[None]]] = [
            *(partial(self.lose_servers, size) for size in sizes),
            self._lose_floor,
        ]
        for kind in kinds:
            await self.play()
            await kind(None)
        if not self._synced:
            await self.play()
            await self._replace_disks()
        while time.monotonic() < end:
            await self.play()
            await self._chance.choice(kinds)(self._chance.randrange(1 << 32))
        await self.play()  # the servers go on after the last loss too

    async def play(self) -> None:
        """Earlier writes reach the disks by themselves; the newest ones, with acknowledged rows, do not.
        Raises DrillError, ClusterError."""
        try:
            await self._until_more_acknowledged()
        except DrillError as error:
            await self._repair(error)
            await self._until_more_acknowledged()
        for disk in self._disks.servers:
            await disk.settle()
        await asyncio.sleep(self._chance.uniform(0, MOST_PLAY))
        await self._until_more_acknowledged()

    async def _until_more_acknowledged(self) -> None:
        """Of each table. Raises DrillError."""
        before = self._acknowledged()
        await until(lambda: all(now > then for now, then in zip(self._acknowledged(), before, strict=True)))

    def _acknowledged(self) -> list[int]:
        return [uplink.acknowledged for uplink in self._played.uplinks]

    async def lose_servers(self, many: int, seed: int | None) -> None:
        """The power of so many servers fails. Uplinks stand still until it is known what the servers have,
        because they would send it again. Raises ClusterError."""
        chosen = self._chance.sample(range(self._at.cluster.size), many)
        await asyncio.gather(*(self._lose(number, seed) for number in chosen))
        for uplink in self._played.uplinks:
            uplink.pause()
        self._at.found.kills += many
        try:
            await self._at.cluster.start()
            await self._at.cluster.prepare(self._at.floor.config.deployment())
            self.forgotten |= await self._missing()
        except ClusterError as error:
            await self._repair(error)
        for uplink in self._played.uplinks:
            uplink.go_on()

    async def _lose(self, number: int, seed: int | None) -> None:
        """What is left of the same writes differs from server to server."""
        await self._at.cluster.nodes[number].kill()
        await self._disks.servers[number].lose_power(None if seed is None else seed + number)

    async def _repair(self, error: Exception) -> None:
        """Only servers that acknowledge before their disks have a message may wait for each other for ever
        after a loss of power. Raises the error of others."""
        if self._synced:
            raise error
        await self._replace_disks()

    async def _replace_disks(self) -> None:
        """All servers get empty disks, and the streams again, as after the loss of the whole cluster."""
        cluster = self._at.cluster
        await cluster.kill()
        self._at.found.kills += cluster.size
        for disk in self._disks.servers:
            await disk.replace()
        await cluster.start()
        await cluster.prepare(self._at.floor.config.deployment())

    async def _missing(self) -> AcknowledgedRows:
        """The rows that are acknowledged and not in the stream. Servers that have just elected a leader may
        not answer, or may be about to take rows from their logs. Raises ClusterError."""
        begun = time.monotonic()
        while True:
            try:
                missing = await self._missing_now()
                if not missing or time.monotonic() > begun + CATCH_UP_LIMIT:
                    return missing
            except (TimeoutError, nats.errors.Error, APIError) as error:
                if time.monotonic() > begun + START_LIMIT:
                    raise ClusterError(f"the stream cannot be read: {error!r}") from None
            await asyncio.sleep(PAUSE)

    async def _missing_now(self) -> AcknowledgedRows:
        async with connection(self._at.cluster.servers) as client:
            stream = client.jetstream(timeout=ANSWER_LIMIT)
            found = await published_ranges(stream, PropertySubjects(PROPERTY))
        missing = AcknowledgedRows()
        for table, last in zip(self._at.tables, self._acknowledged(), strict=True):
            name = table.journal_name
            rows = {row for first, end in found.get(name, ()) for row in range(first, end + 1)}
            missing |= {(name, row) for row in range(1, last + 1) if row not in rows}
        return missing

    async def _lose_floor(self, seed: int | None) -> None:
        """What the floor has stored, it has when the power is back."""
        floor = self._at.floor
        stored = {table: self._at.reached(table) for table in self._at.tables}
        await floor.kill()
        await self._disks.floor.lose_power(seed)
        for table, row in stored.items():
            why = f"the floor has forgotten that it has stored row {row} of {table.name}"
            self._at.found.check(self._at.reached(table) >= row, why)
        await floor.start()
        self._at.found.kills += 1


async def power(folder: Path, seconds: float, *, size: int = NODES, tables: int = TABLES) -> Findings:
    """Half of the time with each `sync_interval`."""
    total = Findings()
    for number, sync_interval in enumerate(SYNC_INTERVALS):
        total += await _with(folder / str(number), seconds / len(SYNC_INTERVALS), sync_interval, size, tables)
    return total


async def _with(folder: Path, seconds: float, sync_interval: str, size: int, tables: int) -> Findings:
    async with (
        disks(folder, size) as places,
        house(folder, tables=tables, nodes=size, sync_interval=sync_interval, floor_kind=FloorProcess) as at,
    ):
        played, synced = PlayedHouse(at, Random(size)), sync_interval == ALWAYS
        losses = PowerLosses(at, places, played, Random(size), synced=synced)
        await played.run(seconds, losses.run)
        at.note_rows()
        at.found.check_replica()
        check_forgotten(at.found, len(losses.forgotten), synced=synced)
    return at.found


def check_forgotten(found: Findings, rows: int, *, synced: bool) -> None:
    if synced:
        found.check(not rows, f"servers that sync each message have forgotten {rows} acknowledged rows")
    else:
        found.check(rows > 0, "servers that acknowledge before they sync have forgotten nothing")
