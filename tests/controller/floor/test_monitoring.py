"""What monitoring ports answer about writes to disk. Servers that write later are tried with `floor run`."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import pytest
from structlog.testing import capture_logs

from controller.demo.reservations import free_port
from controller.floor import monitoring
from controller.floor.monitoring import check_disk_writes
from controller.floor.streams import StreamError

STARTING: Final = {"disabled": True, "config": {"max_memory": 0, "max_storage": 0}}
"""What nats-server 2.15 answers before its JetStream runs, and without a section jetstream."""
AT_ONCE: Final = {"config": {"max_memory": 1, "sync_always": True, "sync_interval": 120000000000}}
LATER: Final = {"config": {"max_memory": 1, "sync_interval": 120000000000}}


@asynccontextmanager
async def monitoring_port(*answers: object) -> AsyncIterator[str]:
    """Gives these answers to one request after the other, the last one from then on. Yields its address."""
    bodies = [json.dumps(answer).encode() for answer in answers]
    async with listening(*(b"HTTP/1.0 200 OK\r\n\r\n" + body for body in bodies)) as address:
        yield address


@asynccontextmanager
async def listening(*answers: bytes) -> AsyncIterator[str]:
    left = list(answers)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(left.pop(0) if len(left) > 1 else left[0])
        await writer.drain()
        writer.close()

    port = free_port()
    async with await asyncio.start_server(serve, "127.0.0.1", port):
        yield f"http://127.0.0.1:{port}"


async def check_with_log(monitors: Sequence[str]) -> list[str]:
    """Returns why the answers of servers are not known."""
    with capture_logs() as logged:
        await check_disk_writes(monitors, None)
    return [str(entry["why"]) for entry in logged]


@pytest.mark.parametrize(("setting", "is_refused"), [(AT_ONCE, False), (LATER, True)])
async def test_a_server_that_has_just_started_is_asked_again(setting: object, is_refused: bool) -> None:
    async with monitoring_port(STARTING, STARTING, setting) as address:
        if is_refused:
            with pytest.raises(StreamError, match=f"{address}: sync_interval is not always"):
                await check_disk_writes([address], None)
        else:
            assert await check_with_log([address]) == []


async def test_a_server_that_stores_nothing_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring, "ANSWER_LIMIT", 3.0)
    async with monitoring_port(STARTING) as starting, monitoring_port(AT_ONCE) as running:
        assert await check_with_log([starting, running]) == ["its JetStream does not run after 3 s"]


async def test_a_server_that_is_down_is_logged() -> None:
    [why] = await check_with_log([f"http://127.0.0.1:{free_port()}"])
    assert "Connection refused" in why


@pytest.mark.parametrize("answer", [[], {}, {"config": {"sync_always": "x"}}])
async def test_an_answer_of_another_program_is_logged(answer: object) -> None:
    async with monitoring_port(answer) as address:
        assert await check_with_log([address]) == ["not an answer of nats-server"]


async def test_an_answer_that_is_not_http_is_logged() -> None:
    async with listening(b"+OK\r\n") as address:
        assert await check_with_log([address]) == ["not an answer of nats-server"]
