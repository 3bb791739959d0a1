"""A supervisor's way in: a Unix socket beside the journal that only the daemon's own user can open.

One JSON object a line in, one out: {"choice", "who", "why", "card"} and {"ok": true} or {"error": reason}.
"""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import get_args

from controller.cards import DECK
from controller.table.errors import NotAllowed
from controller.table.events import Choice, Supervisor

LONGEST_LINE = 4096
MOST_TEXT = 200
CHOICES: tuple[str, ...] = get_args(Choice)

Decide = Callable[[Supervisor], Awaitable[None]]


def address(journal: Path) -> Path:
    """Where the socket of the table with this journal is."""
    return journal.with_name(journal.name + ".sock")


@asynccontextmanager
async def inlet(path: Path, decide: Decide) -> AsyncIterator[None]:
    """Listens while it is entered; who is still connected then is sent away. Raises OSError; a socket that
    is left over is replaced."""
    talks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.create_task(_serve(reader, writer, decide), name="supervisor")
        talks.add(talk)
        talk.add_done_callback(talks.discard)

    server = await asyncio.start_unix_server(connected, sock=_listen(path), limit=LONGEST_LINE)
    try:
        yield
    finally:
        server.close()
        _remove(path)
        await _end(frozenset(talks))


def read_decision(line: bytes) -> Supervisor:
    """What a supervisor says; raises NotAllowed naming what is wrong with it."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError) as error:  # the latter: brackets in brackets in brackets
        raise NotAllowed(f"not JSON: {error}") from error
    if not isinstance(told, dict) or not told.keys() <= {"choice", "who", "why", "card"}:
        raise NotAllowed('an object with "choice", "who", "why" and perhaps "card" is needed')
    if told.get("choice") not in CHOICES:
        raise NotAllowed(f"choice = {told.get('choice')!r}: not allowed; allowed: {', '.join(CHOICES)}")
    card = told.get("card")
    if card is not None and card not in DECK:
        raise NotAllowed(f"card = {card!r}: not allowed; allowed: a rank of A23456789TJQK and a suit of shdc")
    return Supervisor(told["choice"], _text(told, "who"), _text(told, "why"), card)


def _text(told: dict[str, object], name: str) -> str:
    text = told.get(name)
    if isinstance(text, str) and 0 < len(text.strip()) <= MOST_TEXT:
        return text.strip()
    raise NotAllowed(f"{name} = {text!r}: not allowed; allowed: 1 to {MOST_TEXT} characters")


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _listen(path: Path) -> socket.socket:
    _remove(path)
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)  # never, not for a moment, open to others
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        raise OSError(f"socket {path} for a supervisor cannot be made: {error}") from error
    finally:
        os.umask(before)
    return listener


async def _end(talks: frozenset[asyncio.Task[None]]) -> None:
    for talk in talks:
        talk.cancel()
    await asyncio.gather(*talks, return_exceptions=True)


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, decide: Decide) -> None:
    try:
        async for line in reader:
            writer.write(json.dumps(await _answer(line, decide)).encode() + b"\n")
            await writer.drain()
    except (ConnectionError, ValueError):
        pass  # gone, or a line that is too long
    finally:
        writer.close()


async def _answer(line: bytes, decide: Decide) -> dict[str, object]:
    try:
        await decide(read_decision(line))
    except NotAllowed as error:
        return {"error": str(error)}
    return {"ok": True}
