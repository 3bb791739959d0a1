"""Clients of each kind that follow a watched table over its table socket, in every topic."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import get_args

from controller.socket.params import PeerKind

KINDS: tuple[PeerKind, ...] = get_args(PeerKind)
LONGEST_LINE = 1 << 17


class Subscribers:
    """`lines`: what each kind got since the last look, as it came."""

    def __init__(self) -> None:
        self.lines: dict[PeerKind, list[str]] = {kind: [] for kind in KINDS}

    def taken(self) -> str:
        """Everything since the last call."""
        text = "\n".join(f"{kind}: {''.join(lines)}" for kind, lines in self.lines.items())
        for lines in self.lines.values():
            lines.clear()
        return text


@asynccontextmanager
async def subscribed(path: Path) -> AsyncIterator[Subscribers]:
    """One client of each kind at this socket."""
    subscribers = Subscribers()
    parts = [asyncio.create_task(_follow(path, kind, subscribers.lines[kind])) for kind in KINDS]
    try:
        yield subscribers
    finally:
        for part in parts:
            part.cancel()
        await asyncio.gather(*parts, return_exceptions=True)


async def _follow(path: Path, kind: PeerKind, lines: list[str]) -> None:
    reader, writer = await asyncio.open_unix_connection(str(path), limit=LONGEST_LINE)
    asked = (("hello", {"as": kind}), ("subscribe", {"topics": ["view", "head", "status"]}))
    for number, (method, params) in enumerate(asked):
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        writer.write(json.dumps(request).encode() + b"\n")
    try:
        while line := await reader.readline():
            lines.append(line.decode())
    finally:
        writer.close()
