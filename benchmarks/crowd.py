"""Open pages and a scraper in their own process: the load of a casino floor on a table while it plays."""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from urllib.parse import urlsplit

from benchmarks.people import connection
from benchmarks.processors import others
from controller.demo.table import DemoTable
from tests.fixtures.load_process import load_process, run_load, there
from tests.system.connection_flood import trusting

PAGES = 20
SCRAPE_SECONDS = 1.0
MOST_BYTES = 1 << 22
AT_ONCE = 4
"""Pages that are being opened at the same time. One address may only have a few unfinished handshakes."""
RETRY = 1.0
"""Seconds after which a page that has ended is opened again."""

Stream = tuple[str, str]
"""A path, and the cookies of the person who follows it."""


def crowd(stage: DemoTable, streams: Sequence[Stream]) -> AbstractContextManager[Counter[str]]:
    """PAGES pages follow these streams in turn, and metrics are scraped, while the context is entered."""
    return load_process("benchmarks.crowd", stage.address, json.dumps(streams), processors=others())


def _scraped(address: str) -> None:
    with connection(address) as scraper:
        scraper.request("GET", "/metrics")
        answer = scraper.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()


async def _follow(
    address: str, stream: Stream, opening: asyncio.Semaphore, counts: Counter[str], opened: Callable[[], None]
) -> None:
    """Calls `opened` when the page shows the table. Opens it again if it ends, as a browser does, and counts
    that."""
    while True:
        with suppress(OSError, EOFError):
            async with opening:
                reader = await _opened(address, stream)
            opened()
            while data := await reader.read(MOST_BYTES):
                counts["bytes of pages"] += len(data)
        counts["pages opened again"] += 1
        await asyncio.sleep(RETRY)


async def _opened(address: str, stream: Stream) -> asyncio.StreamReader:
    """Raises OSError or EOFError if it cannot be opened now."""
    path, cookie = stream
    parts = urlsplit(address)
    tls = trusting() if parts.scheme == "https" else None
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port, ssl=tls, limit=MOST_BYTES)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nCookie: {cookie}\r\n\r\n".encode())
    while line := await reader.readline():
        assert not line.startswith(b"HTTP/") or b" 200 " in line, f"{path}: {line!r}"
        if line.startswith(b"event: beat"):
            return reader
    raise EOFError(path)


async def _scrape(address: str, counts: Counter[str]) -> None:
    while True:
        begun = time.monotonic()
        try:
            await asyncio.to_thread(_scraped, address)
            counts["scrapes"] += 1
        except OSError:  # the pages give way to the daemon, and a busy machine leaves them little
            counts["scrapes without an answer"] += 1
        await asyncio.sleep(max(0.0, SCRAPE_SECONDS - (time.monotonic() - begun)))


async def _open(address: str, streams: Sequence[Stream], counts: Counter[str]) -> None:
    opened, opening = asyncio.Semaphore(0), asyncio.Semaphore(AT_ONCE)
    async with asyncio.TaskGroup() as group:
        for number in range(PAGES):
            stream = streams[number % len(streams)]
            group.create_task(_follow(address, stream, opening, counts, opened.release))
        for _ in range(PAGES):
            await opened.acquire()
        counts["pages opened again"] = 0
        group.create_task(_scrape(address, counts))
        there()


if __name__ == "__main__":
    run_load(partial(_open, sys.argv[1], json.loads(sys.argv[2])))
