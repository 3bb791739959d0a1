"""One of three servers is killed, or stands still as if it had lost its power: how long tables hear no
amount. A table closes its linked spots after five seconds.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from nats.aio.msg import Msg

from benchmarks.floor.figures import SECONDS, Figure
from controller.floor.connection import PROMPT, Servers, connection
from controller.floor.drills.cluster import Node
from controller.floor.drills.interleavings.world import LEVEL
from controller.floor.streams import LEASE
from controller.jackpot.linked.messages import read_amount
from tests.controller.floor.progressive.house import SUBJECTS
from tests.controller.floor.progressive.trio import Trio, trio

FAILURES = 4
"""Of each kind."""
TABLES = 6
WATCHED = 15.0
"""Seconds after a failure: servers elect in 4 to 9."""
LEVELLED = 10.0
"""Seconds after which a server that is back has what the others have."""
MOST = 5.0


class Table:
    """Hears amounts. `pause`: the longest time between two that were new, since `begin`."""

    def __init__(self) -> None:
        self._last, self._at, self.pause = (0, 0), time.monotonic(), 0.0

    async def hear(self, message: Msg) -> None:
        amount = read_amount(message.data)
        if (amount.n, amount.version) > self._last:
            self.look()
            self._last, self._at = (amount.n, amount.version), time.monotonic()

    def begin(self) -> None:
        self.pause = 0.0

    def look(self) -> None:
        self.pause = max(self.pause, time.monotonic() - self._at)


async def measure(folder: Path) -> list[Figure]:
    """The server that leads the leases fails each time, which is the worst case."""
    async with trio(folder) as found, _tables(found) as tables:
        killed = [await _killed(found, tables) for _ in range(FAILURES)]
        still = [await _still(found, tables) for _ in range(FAILURES)]
    return [
        Figure(f"one server {kind}, {FAILURES} times: longest wait for an amount", max(pauses), MOST, SECONDS)
        for kind, pauses in {"killed": killed, "without power": still}.items()
    ]


@asynccontextmanager
async def _tables(found: Trio) -> AsyncIterator[list[Table]]:
    """Each with a connection of its own, as an uplink has."""
    tables = [Table() for _ in range(TABLES)]
    async with AsyncExitStack() as stack:
        for number, table in enumerate(tables):
            name = f"t-{number}"
            servers = Servers(found.servers.addresses, name, f"_INBOX_{name}", pings=PROMPT)
            client = await stack.enter_async_context(connection(servers))
            await client.subscribe(SUBJECTS.amount(LEVEL), cb=table.hear)
        yield tables


async def _killed(found: Trio, tables: list[Table]) -> float:
    node = await found.lead_of(f"KV_{LEASE}")
    await node.kill()
    pause = await _longest_pause(tables)
    await node.start()
    await asyncio.sleep(LEVELLED)
    return pause


async def _still(found: Trio, tables: list[Table]) -> float:
    node = await found.lead_of(f"KV_{LEASE}")
    _signal(node, signal.SIGSTOP)
    try:
        return await _longest_pause(tables)
    finally:
        _signal(node, signal.SIGCONT)
        await asyncio.sleep(LEVELLED)


def _signal(node: Node, number: signal.Signals) -> None:
    assert node.process
    node.process.send_signal(number)


async def _longest_pause(tables: list[Table]) -> float:
    for table in tables:
        table.begin()
    await asyncio.sleep(WATCHED)
    for table in tables:
        table.look()
    return max(table.pause for table in tables)
