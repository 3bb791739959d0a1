"""Drill `full`: the stream of journals has no room left. Tables wait and keep their rows, and an alert says
so; with more room, everything arrives."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from controller.floor.connection import connection
from controller.floor.drills.house import FloorTask, House, house, until
from controller.floor.drills.journals import uplink_of
from controller.floor.drills.outcome import Findings
from controller.floor.service.pit import Pit
from controller.floor.settings import FloorConfig
from controller.floor.streams import JOURNAL, Deployment
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture
from controller.process.tasks import end_tasks

ROOM: Final = 64 * 1024
"""Bytes of the stream: those of some hundred rounds."""
ROUNDS: Final = 10
MOST_ROUNDS: Final = 500
ROUND_PAUSE: Final = 0.02
STILL: Final = 1.0
"""Seconds without an acknowledged row after which the stream counts as full."""
CAUSE: Final = FloorCause("full", which=JOURNAL)
ALERT_LIMIT: Final = 20.0


class SmallConfig(FloorConfig):
    """A floor whose stream of journals has little room."""

    def deployment(self) -> Deployment:
        return replace(super().deployment(), journal_bytes=ROOM)


class SmallFloor(FloorTask):
    @property
    def config(self) -> FloorConfig:
        return SmallConfig.model_construct(**dict(super().config))


async def full(folder: Path, _seconds: float) -> Findings:
    async with house(folder, floor_kind=SmallFloor) as at, _picture(at) as picture:
        table = at.add_table("bj-1")
        async with uplink_of(at, table) as uplink:
            acknowledged, since = 0, time.monotonic()
            while time.monotonic() - since < STILL and table.rounds < MOST_ROUNDS:
                table.play()
                uplink.shipper.disclose(table.disclosed)
                await asyncio.sleep(ROUND_PAUSE)
                if uplink.shipper.reached.row > acknowledged:
                    acknowledged, since = uplink.shipper.reached.row, time.monotonic()
            at.found.check(acknowledged < table.disclosed, "the stream took more than it has room for")
            table.play(ROUNDS)
            uplink.shipper.disclose(table.disclosed)
            await until(lambda: lasts(picture), ALERT_LIMIT)
            at.note_rows()
            at.found.check(not at.found.rows.duplicated, "rows are stored twice")
            await _make_room(at)
            at.found.check(await at.until_stored(), "rows that had to wait are not stored")
            at.found.published = uplink.shipper.reached.row
            await until(lambda: not lasts(picture), ALERT_LIMIT)
        at.note_rows()
        at.found.check_replica()
    return at.found


def lasts(picture: FloorPicture) -> bool:
    """Whether the alert about the stream is there, and its cause too."""
    return bool((alert := picture.alerts.find(CAUSE)) and alert.lasts)


async def _make_room(at: House) -> None:
    """Give the stream more room, as a larger disk in the servers would."""
    wanted = at.floor.config.deployment().streams()[JOURNAL]
    async with connection(at.cluster.servers) as client:
        await client.jetstream().update_stream(wanted.evolve(max_bytes=100 * ROOM))


@asynccontextmanager
async def _picture(at: House) -> AsyncIterator[FloorPicture]:
    """What another instance of the floor, with a store of its own, shows of the streams."""
    stores = at.folder / "second"
    stores.mkdir()
    config = at.floor.config.model_copy(update={"stores": str(stores)})
    async with connection(at.cluster.servers) as client:
        pit = Pit(config, client, at.floor.signer, time.time)
        task = asyncio.create_task(pit.run())
        try:
            yield pit.picture
        finally:
            await end_tasks([task])
