"""Drills `nodes` and `rewind`: servers, uplinks and the floor are killed while tables play, and stores of
servers are put back."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Final

from controller.floor.drills.house import FloorProcess, House, UplinkProcess, house, until
from controller.floor.drills.outcome import Findings

NODES: Final = 3
TABLES: Final = 3
ROUND_PAUSE: Final = 0.25
"""Seconds between two rounds of a table: 120 rows a second."""
MOST_PAUSE: Final = 1.5
"""Seconds until the next kill, at most."""
DOWN: Final = 1.0
"""Seconds for which a server is away, at most."""
LEVEL_LIMIT: Final = 120.0
"""Seconds in which the floor has everything after the last kill."""
SYNC_INTERVALS: Final = ("always", "2m")
"""What a production server has, and a server's own default."""
REWOUND: Final = 12.0
"""Seconds of acknowledged messages that the servers lose."""


class PlayedHouse:
    """A house whose tables play while troubles come. `chance` decides which."""

    def __init__(self, at: House, chance: Random) -> None:
        self._at, self._chance = at, chance
        self._playing = True
        folder = at.folder
        self.uplinks = [UplinkProcess(folder, table, at.plan(table)) for table in at.tables]
        self._troubles: tuple[Callable[[], Awaitable[None]], ...] = (
            self._kill_one,
            self._kill_one,
            self._kill_two,
            self._kill_all,
            self._kill_uplink,
            self._kill_uplink,
            self._kill_floor,
            self._kill_floor,
        )

    async def run(self, seconds: float, troubles: Callable[[float], Awaitable[None]] | None = None) -> None:
        """Play for so many seconds, then wait until the floor has stored every row."""
        for uplink in self.uplinks:
            await uplink.start()
        playing = asyncio.create_task(self._play())
        try:
            await (troubles or self._trouble)(time.monotonic() + seconds)
        finally:
            self._playing = False
            await playing
        await self._finish()

    async def _play(self) -> None:
        while self._playing:
            for table, uplink in zip(self._at.tables, self.uplinks, strict=True):
                table.play()
                uplink.disclose()
            await asyncio.sleep(ROUND_PAUSE)

    async def _trouble(self, end: float) -> None:
        """Each trouble once, and then any of them until the end."""
        todo = list(self._troubles)
        self._chance.shuffle(todo)
        while time.monotonic() < end:
            await asyncio.sleep(self._chance.uniform(0, MOST_PAUSE))
            await (todo.pop() if todo else self._chance.choice(self._troubles))()

    async def rewind(self, end: float) -> None:
        """All stores are put back, again and again until the end."""
        while time.monotonic() < end:
            await self._at.cluster.keep()
            kept = self._at.floor.position().seq
            await asyncio.sleep(REWOUND)
            await self._until_read_beyond(kept)
            await self._at.cluster.put_back()
            self._at.found.kills += self._at.cluster.size
            await asyncio.sleep(DOWN)

    async def _until_read_beyond(self, seq: int) -> None:
        await until(lambda: self._at.floor.position().seq > seq)

    async def _finish(self) -> None:
        found = self._at.found
        for uplink in self.uplinks:
            uplink.disclose()
        found.check(
            await self._at.until_stored(LEVEL_LIMIT), f"the floor is not level after {LEVEL_LIMIT:g} s"
        )
        for uplink in self.uplinks:
            await uplink.kill()
        found.published = sum(uplink.acknowledged for uplink in self.uplinks)

    async def _kill_one(self) -> None:
        await self._kill_nodes(1)

    async def _kill_two(self) -> None:
        await self._kill_nodes(2)

    async def _kill_all(self) -> None:
        await self._kill_nodes(self._at.cluster.size)

    async def _kill_nodes(self, most: int) -> None:
        chosen = self._chance.sample(self._at.cluster.nodes, min(most, self._at.cluster.size))
        await asyncio.gather(*(node.kill() for node in chosen))
        await asyncio.sleep(self._chance.uniform(0, DOWN))
        await asyncio.gather(*(node.start() for node in chosen))
        self._at.found.kills += len(chosen)

    async def _kill_uplink(self) -> None:
        uplink = self._chance.choice(self.uplinks)
        await uplink.kill()
        await uplink.start()
        self._at.found.kills += 1

    async def _kill_floor(self) -> None:
        await self._at.floor.kill()
        await self._at.floor.start()
        self._at.found.kills += 1


async def nodes(folder: Path, seconds: float, *, size: int = NODES, tables: int = TABLES) -> Findings:
    """Half of the time with each `sync_interval`."""
    total = Findings()
    for number, sync_interval in enumerate(SYNC_INTERVALS):
        place = folder / str(number)
        async with house(
            place, tables=tables, nodes=size, sync_interval=sync_interval, floor_kind=FloorProcess
        ) as at:
            await PlayedHouse(at, Random(number)).run(seconds / len(SYNC_INTERVALS))
            at.note_rows()
            at.found.check_replica()
        total += at.found
    return total


async def rewind(folder: Path, seconds: float, *, size: int = NODES, tables: int = TABLES) -> Findings:
    async with house(folder, tables=tables, nodes=size, floor_kind=FloorProcess) as at:
        played = PlayedHouse(at, Random(1))
        await played.run(seconds, played.rewind)
        at.note_rows()
        at.found.check_replica()
        noticed = at.floor.position().incarnation > 0 or at.found.incidents
        at.found.check(bool(noticed), "the floor did not report that the stream was put back")
    return at.found
