"""What a client sends cannot fill the log."""

import asyncio
import logging

import pytest

from controller.monitor.server.limited_log import INTERVAL, LimitedLog
from tests.fixtures.access_desk import Clock
from tests.fixtures.waiting import come_true
from tests.fixtures.web_server import web_server


def test_the_same_line_is_written_once_a_minute_with_the_number_of_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Clock()
    log = LimitedLog(logging.getLogger("test"), clock)
    for _ in range(100):
        log.warning("bad")
    log.warning("worse")
    clock.now += INTERVAL
    log.warning("bad")
    assert caplog.messages == ["bad", "worse", "bad (99 more like this were left out)"]


def test_each_kind_of_exception_is_written(caplog: pytest.LogCaptureFixture) -> None:
    log = LimitedLog(logging.getLogger("test"), Clock())
    for error in (ValueError("1"), KeyError("2"), ValueError("3")):
        log.error("failed", exc_info=error)
    found = [record.exc_info[0] for record in caplog.records if record.exc_info]
    assert found == [ValueError, KeyError]


async def test_bad_requests_write_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async with web_server() as house:
        for _ in range(20):
            reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
            writer.write(b"\x16\x03\x01 not HTTP\r\n\r\n")
            assert (await reader.readline()).split()[1] == b"400"
            writer.close()
        await come_true(lambda: bool(caplog.messages))
    assert caplog.messages == ["Invalid HTTP request received."]
