"""A crowd of connections to the page of a table with TLS: `python -m tests.system.connection_flood PORT HALF
SILENT ASKING`.

HALF connections never begin a handshake, SILENT ones complete it and send nothing, ASKING ones request the
metrics again and again. The first kind comes from 20 addresses, the second from 100, the last from one; a
refused client reconnects.
"""

import asyncio
import contextlib
import ssl
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

HALF_ADDRESSES: Final = 20
SILENT_ADDRESSES: Final = 100
PAUSE: Final = 0.5
"""Seconds after which somebody reconnects."""


@contextlib.contextmanager
def connection_flood(port: int, half: int = 1000, silent: int = 400, asking: int = 8) -> Iterator[None]:
    """The crowd connects inside the block."""
    words = [sys.executable, "-m", "tests.system.connection_flood", *map(str, (port, half, silent, asking))]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as crowd:
        try:
            assert crowd.stdout
            assert crowd.stdout.readline() == b"there\n", "the crowd did not come"
            yield
            assert crowd.poll() is None, "the crowd went home"
        finally:
            crowd.terminate()


async def _come(port: int, half: int, silent: int, asking: int) -> None:
    tls = trusting()
    async with asyncio.TaskGroup() as group:
        for number in range(half):
            group.create_task(_stay(f"127.1.0.{1 + number % HALF_ADDRESSES}", port, None))
        for number in range(silent):
            group.create_task(_stay(f"127.2.0.{1 + number % SILENT_ADDRESSES}", port, tls))
        for _ in range(asking):
            group.create_task(_ask("127.3.0.1", port, tls))
        await asyncio.sleep(1.0)
        print("there", flush=True)


async def _stay(source: str, port: int, tls: ssl.SSLContext | None) -> None:
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls, local_addr=(source, 0))
            with contextlib.closing(writer):
                await reader.read(1)
        await asyncio.sleep(PAUSE)


async def _ask(source: str, port: int, tls: ssl.SSLContext) -> None:
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls, local_addr=(source, 0))
            with contextlib.closing(writer):
                while True:
                    writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    head = await reader.readuntil(b"\r\n\r\n")
                    await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split()[0]))
        await asyncio.sleep(PAUSE)


def trusting() -> ssl.SSLContext:
    """A context that compares no certificate."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    return made


if __name__ == "__main__":
    asyncio.run(_come(*map(int, sys.argv[1:])))
