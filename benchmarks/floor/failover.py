"""One of three servers is killed: how long it takes until rows are acknowledged again."""

import asyncio
import time
from datetime import datetime
from pathlib import Path

from benchmarks.floor.figures import SECONDS, Figure
from benchmarks.floor.fleet import Fleet
from controller.floor.connection import connection
from controller.floor.drills.cluster import Node
from controller.floor.drills.house import FloorProcess, House, house
from controller.floor.streams import JOURNAL

TABLES = 6
KILLS = 3
LOOK = 0.01
LIMIT = 60.0
LOG_TIME = "%Y/%m/%d %H:%M:%S.%f"
"""How a server writes the time, in the zone of this computer."""


async def measure(folder: Path) -> list[Figure]:
    """The leader of the stream is killed each time, which is the worst case."""
    pauses, elections = list[float](), list[float]()
    async with house(folder, tables=TABLES, nodes=3, floor_kind=FloorProcess) as at:
        fleet = Fleet(at)
        try:
            await fleet.connect()
            await at.until_stored()
            for _ in range(KILLS):
                leader = await _leader(at)
                await leader.kill()
                killed = time.time()
                pauses.append(await _until_all_publish(fleet))
                elections.append(_elected(at) - killed)
                await leader.start()
                await at.until_stored()
        finally:
            await fleet.disconnect()
    own = max(pause - election for pause, election in zip(pauses, elections, strict=True))
    return [
        Figure(f"one server killed, {KILLS} times: all tables publish again", max(pauses), 5, SECONDS),
        Figure("  the servers have elected a leader of the stream", max(elections), None, SECONDS),
        Figure("  all tables publish after the election", own, None, SECONDS),
    ]


async def _leader(at: House) -> Node:
    async with connection(at.cluster.servers) as client:
        cluster = (await client.jetstream().stream_info(JOURNAL)).cluster
    return next(node for node in at.cluster.nodes if cluster and node.name == cluster.leader)


def _elected(at: House) -> float:
    """When a server began to lead the stream last, as the servers' logs say; Unix time."""
    lines = [
        line
        for node in at.cluster.nodes
        for line in (node.folder / "server.log").read_text().splitlines()
        if line.endswith(f"new stream leader for '$G > {JOURNAL}'")
    ]
    times = [line.partition("] ")[2].partition(" [")[0] for line in lines]
    return max(datetime.strptime(text, LOG_TIME).timestamp() for text in times)


async def _until_all_publish(fleet: Fleet) -> float:
    """Seconds until a row of each table, written after now, is acknowledged."""
    begun, wanted = time.monotonic(), dict[str, int]()
    for table in fleet.at.tables:
        table.play()
        fleet.disclose(table)
        wanted[table.name] = table.disclosed
    while any(fleet.shippers[name].reached.row < row for name, row in wanted.items()):
        assert time.monotonic() < begun + LIMIT, "no row is acknowledged"
        await asyncio.sleep(LOOK)
    return time.monotonic() - begun
