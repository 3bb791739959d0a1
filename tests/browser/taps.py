"""A crew whose dealer presses the keys of the page instead of those of a console."""

import asyncio
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

LINE = 1 << 20

Tap = Callable[[str, int, int], Awaitable[None]]
"""Presses a key: action, seat, cents (0: without an amount)."""


@asynccontextmanager
async def screen(path: Path, console: Path, tap: Tap) -> AsyncIterator[None]:
    """Serves the control socket `console` at `path`; each pressed key becomes a tap."""
    talks: set[asyncio.Task[None]] = set()

    def connected(reader: StreamReader, writer: StreamWriter) -> None:
        talk = asyncio.create_task(_talk(reader, writer, console, tap))
        talks.add(talk)
        talk.add_done_callback(talks.discard)

    server = await asyncio.start_unix_server(connected, path, limit=LINE)
    try:
        yield
    finally:
        server.close()
        for talk in tuple(talks):
            talk.cancel()
        ends = await asyncio.gather(*talks, return_exceptions=True)
    if faults := [end for end in ends if isinstance(end, Exception)]:
        raise faults[0]


async def _talk(reader: StreamReader, writer: StreamWriter, console: Path, tap: Tap) -> None:
    theirs, ours = await asyncio.open_unix_connection(console, limit=LINE)
    notices = asyncio.create_task(_copy(theirs, writer))
    try:
        with suppress(ConnectionError):  # a crew that has played leaves, with notices still unread
            async for line in reader:
                writer.write(b'{"ok": "press"}\n')  # the answer to a press does not wait for the table
                await _pressed(json.loads(line), tap)
    finally:
        notices.cancel()
        ours.close()
        writer.close()


async def _pressed(request: Mapping[str, Any], tap: Tap) -> None:
    assert request["do"] == "press", request
    await tap(request["action"], request.get("seat", 0), request.get("cents", 0))


async def _copy(reader: StreamReader, writer: StreamWriter) -> None:
    async for line in reader:
        writer.write(line)
