"""The floor's page: a server with 1,000 tiles in a process of its own, and 20 supervisors who follow them.

As a program, it is that server: it prints its address, and ends with its standard input.
"""

import asyncio
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from benchmarks.floor import browser
from benchmarks.floor.browser import BrowserFigures
from benchmarks.floor.figures import COUNT, PERCENT, SECONDS, Figure
from benchmarks.floor.load import Load, LoadMeter
from controller.process.tasks import end_tasks
from tests.fixtures.floor_pages import PHASES, FloorHouse

SUPERVISORS = 20
STATUS_SECONDS = 5.0
"""Each table says how it is so often."""
ROUND_SECONDS = 60.0
"""A round goes through its phases in this time."""
ROUND_OFFSET = 0.377
"""Tables do not begin their rounds together."""
TURNS = 100
"""In so many turns all tables have spoken."""
PAINTS = 5
CHUNK = 1 << 16
FLOOR = "/floor"
EVENTS = "/floor/events"


@dataclass(frozen=True, slots=True)
class PageFigures:
    """`paints`: seconds until the whole page has come; `bytes`: of all streams, a second; `browser`: measured
    after that, beside the same supervisors."""

    tables: int
    server: Load
    paints: list[float]
    bytes: float
    browser: BrowserFigures

    def figures(self) -> list[Figure]:
        return [
            Figure(
                f"page of {self.tables} tiles, {SUPERVISORS} supervisors", self.server.share, 0.10, PERCENT
            ),
            Figure("  the whole page has come, median", median(self.paints), 1, SECONDS),
            Figure("  bytes a second to all of them", self.bytes, None, COUNT),
            *self.browser.figures(),
        ]


async def measure(folder: Path, tables: int, seconds: float) -> PageFigures:
    async with _server(folder, tables) as (address, pid):
        received = [0]
        following = [asyncio.create_task(_follow(address, received)) for _ in range(SUPERVISORS)]
        await asyncio.sleep(STATUS_SECONDS)
        paints = [await _paint(address) for _ in range(PAINTS)]
        meter, before = LoadMeter([pid]), received[0]
        await asyncio.sleep(seconds)
        [load], came = meter.read(), received[0] - before
        seen = await browser.measure(address, tables)
        await end_tasks(following)
    return PageFigures(tables, load, paints, came / seconds, seen)


@asynccontextmanager
async def _server(folder: Path, tables: int) -> AsyncIterator[tuple[str, int]]:
    """Its address and its process."""
    words = ("-m", "benchmarks.floor.page", str(folder), str(tables))
    process = await asyncio.create_subprocess_exec(sys.executable, *words, stdin=PIPE, stdout=PIPE)
    assert process.stdout
    try:
        yield (await process.stdout.readline()).decode().strip(), process.pid
    finally:
        await process.communicate(b"")


async def _paint(address: str) -> float:
    """Seconds until the whole page has come."""
    begun = time.monotonic()
    reader, writer = await _asked(address, FLOOR)
    await reader.read()
    writer.close()
    return time.monotonic() - begun


async def _follow(address: str, received: list[int]) -> None:
    """Read the tiles until cancelled."""
    reader, writer = await _asked(address, EVENTS)
    try:
        while data := await reader.read(CHUNK):
            received[0] += len(data)
    finally:
        writer.close()


async def _asked(address: str, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: close\r\n\r\n".encode())
    status = await reader.readline()
    assert b" 200 " in status, status
    return reader, writer


async def _serve(folder: Path, tables: int) -> None:
    house = FloorHouse(folder, tables, public=True)
    await house.start()
    print(house.url, flush=True)
    speaking = asyncio.create_task(_speak(house))
    await asyncio.to_thread(sys.stdin.read)
    await end_tasks([speaking])
    await house.stop()


async def _speak(house: FloorHouse) -> None:
    """All tables, evenly over time."""
    names, turn = list(house.picture.tiles), 0
    while True:
        for number in range(turn % TURNS, len(names), TURNS):
            house.say(names[number], number, **_play(number))
        turn += 1
        await asyncio.sleep(STATUS_SECONDS / TURNS)


def _play(number: int) -> dict[str, object]:
    """The round of a table now, and its phase."""
    rounds = time.monotonic() / ROUND_SECONDS + number * ROUND_OFFSET
    return {"round": int(rounds), "state": PHASES[int(rounds % 1 * len(PHASES))]}


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(Path(sys.argv[1]), int(sys.argv[2])))
