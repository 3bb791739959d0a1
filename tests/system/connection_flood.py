"""A crowd of connections to the page of a table with TLS: `python -m tests.system.connection_flood PORT HALF
SILENT ASKING TOKEN`.

HALF connections never begin a handshake, SILENT ones complete it and send nothing, ASKING ones request the
metrics again and again, with TOKEN, which may be empty. The first kind comes from 20 addresses, the second
from 100, the last from one; a refused client reconnects.
"""

import asyncio
import contextlib
import ssl
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

from tests.fixtures.load_process import load_process, run_load, there

HALF_ADDRESSES: Final = 20
SILENT_ADDRESSES: Final = 100
PAUSE: Final = 0.5
"""Seconds after which somebody reconnects."""
CONNECTIONS: Final = "connections"
ANSWERS: Final = "answers"
"""What is counted: attempts to connect, and requests for the metrics that were answered."""


def connection_flood(
    port: int,
    half: int = 1000,
    silent: int = 400,
    asking: int = 8,
    *,
    token: str = "",
    processors: Collection[int] = (),
) -> contextlib.AbstractContextManager[Counter[str]]:
    """The crowd connects inside the block."""
    words = map(str, (port, half, silent, asking, token))
    return load_process("tests.system.connection_flood", *words, processors=processors)


async def _come(words: Sequence[str], counts: Counter[str]) -> None:
    port, half, silent, asking = map(int, words[:4])
    head = f"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {words[4]}\r\n\r\n"
    tls = trusting()
    async with asyncio.TaskGroup() as group:
        for number in range(half):
            group.create_task(_stay(f"127.1.0.{1 + number % HALF_ADDRESSES}", port, None, counts))
        for number in range(silent):
            group.create_task(_stay(f"127.2.0.{1 + number % SILENT_ADDRESSES}", port, tls, counts))
        for _ in range(asking):
            group.create_task(_ask("127.3.0.1", port, tls, head.encode(), counts))
        await asyncio.sleep(1.0)
        there()


async def _stay(source: str, port: int, tls: ssl.SSLContext | None, counts: Counter[str]) -> None:
    while True:
        counts[CONNECTIONS] += 1
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls, local_addr=(source, 0))
            with contextlib.closing(writer):
                await reader.read(1)
        await asyncio.sleep(PAUSE)


async def _ask(source: str, port: int, tls: ssl.SSLContext, request: bytes, counts: Counter[str]) -> None:
    while True:
        counts[CONNECTIONS] += 1
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls, local_addr=(source, 0))
            with contextlib.closing(writer):
                while True:
                    writer.write(request)
                    head = await reader.readuntil(b"\r\n\r\n")
                    await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split()[0]))
                    counts[ANSWERS] += 1
        await asyncio.sleep(PAUSE)


def trusting() -> ssl.SSLContext:
    """A context that compares no certificate."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    return made


if __name__ == "__main__":
    run_load(partial(_come, sys.argv[1:]))
