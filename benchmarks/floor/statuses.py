"""The statuses of all tables, evenly over time, as their cores sign them."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from controller.floor.connection import connection
from controller.floor.drills.house import PROPERTY, House
from controller.floor.drills.synthetic import SyntheticTable
from controller.process.tasks import end_tasks
from controller.property.signed import SignedMessage
from controller.property.status import payload_of
from controller.property.subjects import PropertySubjects
from tests.controller.floor.tables.statuses import status

EVERY: Final = 5.0
"""Seconds after which a table repeats a status that has not changed."""
TURNS: Final = 100
"""In so many turns all tables have spoken."""
SUBJECTS: Final = PropertySubjects(PROPERTY)


@asynccontextmanager
async def statuses(at: House) -> AsyncIterator[None]:
    """All tables say how they are inside the block."""
    task = asyncio.create_task(_speak(at))
    try:
        yield
    finally:
        await end_tasks([task])


async def _speak(at: House) -> None:
    async with connection(at.cluster.servers) as client:
        begun, turn = time.monotonic(), 0
        while True:
            for table in at.tables[turn % TURNS :: TURNS]:
                said = _signed(table)
                await client.publish(said.subject, said.payload, headers=said.headers())
            turn += 1
            await asyncio.sleep(begun + turn * EVERY / TURNS - time.monotonic())


def _signed(table: SyntheticTable) -> SignedMessage:
    said = status(time.time(), epoch=table.epoch, round=table.rounds, dealer=f"Dealer of {table.name}")
    return SignedMessage.make(SUBJECTS.status(table.name), payload_of(said), table.signer)
