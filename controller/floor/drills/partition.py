"""Drill `partition`: a table, two of three servers, and both instances of a linked progressive are out of
reach for a while; play goes on.

The table's time is virtual: it plays an hour and three days in a few seconds, with as many rounds as in that
time. Two servers are not killed but stopped, so that they wake up with what they knew before.
"""

import asyncio
import signal
import time
from pathlib import Path
from typing import Final

from controller.floor.drills.house import FloorProcess, House, house
from controller.floor.drills.instances import instances
from controller.floor.drills.journals import ship, uplink_of
from controller.floor.drills.outcome import Findings
from controller.floor.drills.synthetic import SyntheticTable

NODES: Final = 3
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
ROUNDS_AN_HOUR: Final = 60
OPEN_HOURS: Final = 18
"""Hours of a day in which a table is open."""
APART: Final = (1, 3 * OPEN_HOURS)
"""Hours of play for which the table is apart."""
FILE_ROWS: Final = 40_000
"""Rows after which a table closes a file of its journal."""
LEVEL_LIMIT: Final = 300.0
ROUND_PAUSE: Final = 0.5
NAME: Final = "bj-1"


class VirtualClock:
    """Seconds of Unix time, which pass as the table plays."""

    def __init__(self, now: float) -> None:
        self._now = now

    def __call__(self) -> float:
        return self._now

    def pass_round(self) -> None:
        self._now += HOUR / ROUNDS_AN_HOUR


async def partition(folder: Path, seconds: float) -> Findings:
    """`seconds`: how long two servers are out of reach, and how long instances are again and again."""
    found = await journals_apart(folder / "journals", seconds)
    return found + await instances(folder / "level", seconds, size=NODES)


async def journals_apart(folder: Path, seconds: float) -> Findings:
    """A table for an hour and for three days, and then two servers."""
    async with house(folder, nodes=NODES, floor_kind=FloorProcess) as at:
        clock = VirtualClock(time.time() - 4 * DAY)
        table = at.add_table(NAME, clock=clock)
        for hours in APART:
            await asyncio.to_thread(_play, table, clock, hours)
            await ship(at, table, LEVEL_LIMIT)
        await _stop_two(at, table, seconds)
        at.note_rows()
        at.found.check_replica()
    return at.found


def _play(table: SyntheticTable, clock: VirtualClock, hours: int) -> None:
    rows = 0
    for _ in range(hours * ROUNDS_AN_HOUR):
        before = table.head
        table.play()
        clock.pass_round()
        rows += table.head - before
        if rows > FILE_ROWS:
            table.close_file()
            rows = 0


async def _stop_two(at: House, table: SyntheticTable, seconds: float) -> None:
    """The table plays while one server is left, which takes no row."""
    stopped = at.cluster.nodes[1:]
    async with uplink_of(at, table) as uplink:
        _signal(at, signal.SIGSTOP)
        at.found.kills += len(stopped)
        end = time.monotonic() + seconds
        played = 0
        while time.monotonic() < end:
            table.play()
            uplink.shipper.disclose(table.disclosed)
            played += 1
            await asyncio.sleep(ROUND_PAUSE)
        waiting = uplink.shipper.reached.row < table.disclosed
        _signal(at, signal.SIGCONT)
        at.found.check(waiting or not played, "one server of three has acknowledged rows")
        at.found.check(await at.until_stored(LEVEL_LIMIT), "rows are missing after two servers were away")
        at.found.published = uplink.shipper.reached.row


def _signal(at: House, number: signal.Signals) -> None:
    for node in at.cluster.nodes[1:]:
        if node.process:
            node.process.send_signal(number)
