"""Instances of a floor that may act, over a real server, and the picture that they keep of a real table."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from nats.aio.client import Client

from controller.floor.approvals.acts import FloorActs
from controller.floor.connection import Servers, connection
from controller.floor.day_file import JournalName
from controller.floor.tables.picture import FloorPicture
from controller.process.tasks import end_tasks
from controller.property.status import TableStatus
from tests.controller.floor.approvals.house import FLOOR_KEY, SUBJECTS, House
from tests.fixtures.waiting import come_true


@asynccontextmanager
async def acting(
    client: Client, folder: Path, clock: Callable[[], float] = time.time
) -> AsyncIterator[FloorActs]:
    """An instance whose journal is in `folder`, and whose pages have its name."""
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    acts = FloorActs(client, SUBJECTS, FLOOR_KEY, folder, clock, page_of(folder))
    running = asyncio.create_task(acts.run())
    try:
        yield acts
    finally:
        await end_tasks([running])


@asynccontextmanager
async def instance(
    address: str, folder: Path, clock: Callable[[], float] = time.time
) -> AsyncIterator[FloorActs]:
    """An instance with a connection of its own."""
    async with (
        connection(Servers((address,), folder.name, f"_INBOX_{folder.name}")) as client,
        acting(client, folder, clock) as acts,
    ):
        yield acts


def page_of(folder: Path) -> str:
    return f"https://{folder.name}.example:8443/"


async def until_acting(acts: FloorActs) -> None:
    await come_true(lambda: acts.leads)


def table_status(house: House) -> TableStatus:
    source = house.core.server._core.floor
    assert source is not None
    found = source.status()
    assert found is not None
    return found


def picture_of(house: House) -> FloorPicture:
    """The picture of a floor that has the table's status."""
    now, status = time.time(), table_status(house)
    picture = FloorPicture({"main": ("t7",)}, now)
    picture.admit(JournalName("t7", status.epoch), now)
    picture.take_status("t7", status, now, now)
    return picture


def look_again(picture: FloorPicture, house: House) -> None:
    """The table's status comes again."""
    now = time.time()
    picture.take_status("t7", table_status(house), now, now)
