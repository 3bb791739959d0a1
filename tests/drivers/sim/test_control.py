import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from drivers.sim.control import MOST_UNREAD, ControlServer
from drivers.sim.requests import RequestError, Response
from tests.fixtures.waiting import PATIENCE


def ask(request: object) -> Response:
    if request == {"do": "pull"}:
        return {"ok": True}
    raise RequestError("only pull is allowed")


def look() -> list[dict[str, Any]]:
    return [{"notice": "permit", "up_to": 5, "at": 1.0}]


@pytest.fixture
async def control(tmp_path: Path) -> AsyncIterator[ControlServer]:
    control = ControlServer(tmp_path / "control", ask, look)
    await control.open()
    yield control
    await control.close()


@asynccontextmanager
async def client(folder: Path) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_unix_connection(folder / "control")
    yield reader, writer
    writer.close()
    await writer.wait_closed()


async def read(reader: asyncio.StreamReader) -> Any:
    return json.loads(await asyncio.wait_for(reader.readline(), PATIENCE))


async def test_a_newcomer_sees_what_is_there(control: ControlServer, tmp_path: Path) -> None:
    assert control
    async with client(tmp_path) as (reader, _):
        assert await read(reader) == look()[0]


async def test_requests_are_answered_in_order(control: ControlServer, tmp_path: Path) -> None:
    assert control
    async with client(tmp_path) as (reader, writer):
        await read(reader)
        writer.write(b'{"do": "pull"}\n{"do": "push"}\nnonsense\n\xff\xfe\n{"do": "pull"}\n')
        assert await read(reader) == {"ok": True}
        assert await read(reader) == {"error": "only pull is allowed"}
        assert (await read(reader))["error"].startswith("not JSON")
        assert (await read(reader))["error"].startswith("not UTF-8")
        assert await read(reader) == {"ok": True}


async def test_notices_go_to_everybody(control: ControlServer, tmp_path: Path) -> None:
    async with client(tmp_path) as (one, _), client(tmp_path) as (two, _):
        await read(one)
        await read(two)
        control.publish([{"notice": "empty", "at": 2.0}])
        assert await read(one) == await read(two) == {"notice": "empty", "at": 2.0}


async def test_who_reads_nothing_is_sent_away(control: ControlServer, tmp_path: Path) -> None:
    text = "x" * 20_000
    async with client(tmp_path) as (reader, _), client(tmp_path) as (idle, _):
        await read(reader)
        await read(idle)
        for number in range(3 * MOST_UNREAD // len(text)):
            control.publish([{"notice": "text", "text": text, "at": number}])
            await read(reader)
        assert len(await asyncio.wait_for(idle.read(), PATIENCE)) < 2 * MOST_UNREAD
