"""The uplink of a synthetic table: the product's parts that ship rows, without the table socket.

In a process of its own it takes the last row that may leave the house from standard input, a number a line,
and prints the last row that the stream has acknowledged, a number a line. To kill it is to kill an uplink.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.floor.connection import Servers, connection
from controller.floor.uplink.floor_line import FloorLine, ShippedJournal
from controller.floor.uplink.shipper import Shipper
from controller.journal.history import History
from controller.process.tasks import end_tasks
from controller.property.subjects import PropertySubjects
from controller.telemetry import logs

CATCH_UP: Final = 5000
"""Rows a second of a backlog, as a table ships them by default."""
LOOK: Final = 0.05
"""Seconds between two looks at what was acknowledged."""


@dataclass(frozen=True, slots=True)
class UplinkPlan:
    """Which journal goes where. `keys`: those of the floor, in hex."""

    property: str
    table: str
    epoch: str
    journal: Path
    servers: tuple[str, ...]
    keys: tuple[str, ...]
    catch_up: int = CATCH_UP

    def words(self) -> list[str]:
        """The arguments of a process that ships."""
        lists = (",".join(self.servers), ",".join(self.keys))
        return [self.property, self.table, self.epoch, str(self.journal), *lists, str(self.catch_up)]

    @classmethod
    def of_words(cls, words: Collection[str]) -> "UplinkPlan":
        house, table, epoch, journal, servers, keys, catch_up = words
        return cls(
            house,
            table,
            epoch,
            Path(journal),
            tuple(servers.split(",")),
            tuple(keys.split(",")),
            int(catch_up),
        )

    def address(self) -> Servers:
        return Servers(self.servers, self.table, f"_INBOX_{self.table}")


@asynccontextmanager
async def shipping(
    plan: UplinkPlan, disclosed: int, alarm: Callable[[str], None] = lambda _why: None
) -> AsyncIterator[tuple[Shipper, asyncio.Task[None]]]:
    """Ship inside the block. The task ends with OtherRows if the floor has other rows than the journal."""
    journal = ShippedJournal(PropertySubjects(plan.property), plan.table, plan.epoch)
    async with connection(plan.address()) as client:
        keys = {bytes.fromhex(key) for key in plan.keys}
        line = FloorLine(client, journal, keys, lambda _signed: None)  # there is no core to tell
        shipper = Shipper(
            History(plan.journal), client.jetstream(), journal.subject, line.ask, alarm, plan.catch_up
        )
        shipper.disclose(disclosed)
        async with line.open(shipper):
            task = asyncio.create_task(shipper.run(), name=f"shipper of {plan.table}")
            try:
                yield shipper, task
            finally:
                if not task.done():
                    await end_tasks([task])


async def _run(plan: UplinkPlan) -> None:
    async with shipping(plan, 0) as (shipper, task):
        reading = asyncio.create_task(_read_disclosed(shipper))
        reporting = asyncio.create_task(_report(shipper))
        try:
            await asyncio.wait({task, reading, reporting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end_tasks([reading, reporting])


async def _read_disclosed(shipper: Shipper) -> None:
    """Until standard input ends."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := await reader.readline():
        shipper.disclose(int(line))


async def _report(shipper: Shipper) -> None:
    """`reached` begins at what the stream or the floor has."""
    said = 0
    while True:
        if shipper.reached.row > said:
            said = shipper.reached.row
            print(said, flush=True)
        await asyncio.sleep(LOOK)


if __name__ == "__main__":
    logs.set_up()
    asyncio.run(_run(UplinkPlan.of_words(sys.argv[1:])))
