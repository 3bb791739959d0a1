"""Clients of the table socket that misbehave, in their own process: one sends REQUESTS requests without
waiting for answers, again and again; one never reads; one sends half a line."""

import asyncio
import itertools
import socket
import sys
from collections import Counter
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path

from benchmarks.processors import others
from controller.socket.lines import MOST_LINE
from controller.socket.wire import request_line
from tests.fixtures.load_process import load_process, run_load, there

REQUESTS = 10_000
BATCH = 100
"""Requests that are written at once."""
PAUSE = 0.5
"""Seconds until a caller connects again."""
HELLO = request_line(0, "hello", {"as": "cli"})
FOLLOW = request_line(1, "subscribe", {"topics": ["view", "head", "status"]})
ASK = request_line(2, "health", {})


def callers(path: Path) -> AbstractContextManager[Counter[str]]:
    """They are at the table socket inside the block. Counts answers, and how often they were dropped."""
    return load_process("benchmarks.callers", str(path), processors=others())


async def _call(path: str, counts: Counter[str]) -> None:
    asked = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(_ask(path, counts, asked))
        group.create_task(_never_read(path, counts))
        group.create_task(_send_half(path, counts))
        await asked.wait()
        there()


async def _ask(path: str, counts: Counter[str], asked: asyncio.Event) -> None:
    for _ in itertools.count():
        reader, writer = await asyncio.open_unix_connection(path, limit=MOST_LINE)
        writer.write(HELLO)
        await reader.readline()
        asked.set()
        sending = asyncio.create_task(_send(writer))
        for _ in range(REQUESTS):
            if not await reader.readline():
                counts["drops"] += 1
                break
            counts["answers"] += 1
        sending.cancel()
        writer.close()


async def _send(writer: asyncio.StreamWriter) -> None:
    for _ in range(REQUESTS // BATCH):
        writer.write(ASK * BATCH)
        await writer.drain()


async def _never_read(path: str, counts: Counter[str]) -> None:
    """Subscribes and asks until the core drops the connection."""
    loop = asyncio.get_running_loop()
    while True:
        with socket.socket(socket.AF_UNIX) as deaf, suppress(OSError):
            deaf.setblocking(False)
            await loop.sock_connect(deaf, path)
            await loop.sock_sendall(deaf, HELLO + FOLLOW)
            while True:
                await loop.sock_sendall(deaf, ASK)
        counts["drops"] += 1
        await asyncio.sleep(PAUSE)


async def _send_half(path: str, counts: Counter[str]) -> None:
    while True:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(ASK[: len(ASK) // 2])
        await reader.read()
        counts["drops"] += 1
        writer.close()
        await asyncio.sleep(PAUSE)


if __name__ == "__main__":
    run_load(partial(_call, sys.argv[1]))
