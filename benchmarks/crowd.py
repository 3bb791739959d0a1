"""Open pages and a scraper in their own process: the load of a casino floor on a table while it plays.

They run on another processor than the table if there is one, because on a floor they are other machines.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection

PAGES = 20
SCRAPE_SECONDS = 1.0
PATIENCE = 20.0
MOST_BYTES = 1 << 22

Stream = tuple[str, str]
"""A path, and the cookies of the person who follows it."""


@contextlib.contextmanager
def crowd(port: int, streams: Sequence[Stream]) -> Iterator[None]:
    """PAGES pages follow these streams in turn, and metrics are scraped, while the context is entered."""
    words = [sys.executable, "-m", "benchmarks.crowd", str(port), json.dumps(streams)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as pages:
        try:
            assert pages.stdout
            assert pages.stdout.readline() == b"follow\n", "the pages did not open"
            yield
            assert pages.poll() is None, "a page was sent away"
        finally:
            pages.terminate()


def scraped(port: int) -> int:
    """Scrapes once and returns the number of bytes."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/metrics")
        return len(connection.getresponse().read())
    finally:
        connection.close()


async def _follow(port: int, stream: Stream, opened: asyncio.Semaphore) -> None:
    path, cookie = stream
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=MOST_BYTES)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
    status = await reader.readline()
    assert b" 200 " in status, f"{path}: {status!r}"
    while line := await reader.readline():
        if line.startswith(b"event: beat"):
            break
    opened.release()
    while await reader.read(MOST_BYTES):
        continue
    raise AssertionError(f"{path} ended")


async def _scrape(port: int) -> None:
    while True:
        begun = time.monotonic()
        await asyncio.to_thread(scraped, port)
        await asyncio.sleep(max(0.0, SCRAPE_SECONDS - (time.monotonic() - begun)))


async def _open(port: int, streams: Sequence[Stream]) -> None:
    opened = asyncio.Semaphore(0)
    async with asyncio.TaskGroup() as group:
        for number in range(PAGES):
            group.create_task(_follow(port, streams[number % len(streams)], opened))
        for _ in range(PAGES):
            await opened.acquire()
        group.create_task(_scrape(port))
        print("follow", flush=True)


if __name__ == "__main__":
    every = os.sched_getaffinity(os.getppid())
    others = set(range(os.cpu_count() or 1)) - every
    os.sched_setaffinity(0, others or every)
    asyncio.run(_open(int(sys.argv[1]), json.loads(sys.argv[2])))
