"""Open pages and a scraper in their own process: the load of a casino floor on a table while it plays."""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial

from benchmarks.people import connection
from benchmarks.processors import others
from controller.demo.table import DemoTable
from tests.fixtures.load_process import load_process, run_load, there
from tests.system.connection_flood import trusting

PAGES = 20
SCRAPE_SECONDS = 1.0
MOST_BYTES = 1 << 22

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


async def _follow(address: str, stream: Stream, opened: asyncio.Semaphore, counts: Counter[str]) -> None:
    path, cookie = stream
    scheme, _, authority = address.rstrip("/").partition("://")
    host, _, port = authority.partition(":")
    tls = trusting() if scheme == "https" else None
    reader, writer = await asyncio.open_connection(host, int(port), ssl=tls, limit=MOST_BYTES)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {authority}\r\nCookie: {cookie}\r\n\r\n".encode())
    status = await reader.readline()
    assert b" 200 " in status, f"{path}: {status!r}"
    while line := await reader.readline():
        if line.startswith(b"event: beat"):
            break
    opened.release()
    while data := await reader.read(MOST_BYTES):
        counts["bytes"] += len(data)
    raise AssertionError(f"{path} ended")


async def _scrape(address: str, counts: Counter[str]) -> None:
    while True:
        begun = time.monotonic()
        await asyncio.to_thread(_scraped, address)
        counts["scrapes"] += 1
        await asyncio.sleep(max(0.0, SCRAPE_SECONDS - (time.monotonic() - begun)))


async def _open(address: str, streams: Sequence[Stream], counts: Counter[str]) -> None:
    opened = asyncio.Semaphore(0)
    async with asyncio.TaskGroup() as group:
        for number in range(PAGES):
            group.create_task(_follow(address, streams[number % len(streams)], opened, counts))
        for _ in range(PAGES):
            await opened.acquire()
        group.create_task(_scrape(address, counts))
        there()


if __name__ == "__main__":
    run_load(partial(_open, sys.argv[1], json.loads(sys.argv[2])))
