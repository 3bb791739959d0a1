"""Whoever gives up while a port is opened leaves nothing open."""

import asyncio
import threading

import pytest

from drivers.ports.threads import open_in_thread
from tests.fixtures.waiting import PATIENCE
from tests.fixtures.wires import until


class Door:
    """Opens when the test allows it, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.tried, self.may_open, self.left = threading.Event(), threading.Event(), threading.Event()
        self.error = error
        self.closed: list[str] = []

    def open(self) -> str:
        self.tried.set()
        self.may_open.wait(PATIENCE)
        if self.error:
            raise self.error
        self.left.set()
        return "open"

    async def begin(self) -> "asyncio.Task[str]":
        task = asyncio.create_task(open_in_thread(self.open, self.closed.append))
        await until(self.tried.is_set)
        return task


async def _given_up(task: "asyncio.Task[str]") -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_opened_port_is_returned() -> None:
    door = Door()
    task = await door.begin()
    door.may_open.set()
    assert await task == "open"
    assert door.closed == []


async def test_a_port_given_up_before_it_opens_is_closed() -> None:
    door = Door()
    await _given_up(await door.begin())
    assert door.closed == []
    door.may_open.set()
    await until(lambda: door.closed == ["open"])


async def test_a_port_given_up_before_it_is_returned_is_closed() -> None:
    door = Door()
    task = await door.begin()
    door.may_open.set()
    door.left.wait(PATIENCE)  # the loop has not run since, so the result was not returned
    await _given_up(task)
    await until(lambda: door.closed == ["open"])


async def test_a_failure_after_giving_up_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    door = Door(OSError("nobody there"))
    await _given_up(await door.begin())
    door.may_open.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    await asyncio.sleep(0)
    assert (door.closed, caplog.records) == ([], [])
