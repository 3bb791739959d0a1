"""Who gives up while something is opened leaves nothing open, whenever that is."""

import asyncio
import threading

import pytest

from drivers.ports.threads import in_thread
from tests.fixtures.waiting import PATIENCE
from tests.fixtures.wires import until


class Door:
    """Opens when it is told to, or fails."""

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
        task = asyncio.create_task(in_thread(self.open, self.closed.append))
        await until(self.tried.is_set)
        return task


async def _given_up(task: "asyncio.Task[str]") -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_was_opened_is_given() -> None:
    door = Door()
    task = await door.begin()
    door.may_open.set()
    assert await task == "open"
    assert door.closed == []


async def test_given_up_before_it_was_opened() -> None:
    door = Door()
    await _given_up(await door.begin())
    assert door.closed == []
    door.may_open.set()
    await until(lambda: door.closed == ["open"])


async def test_given_up_when_it_was_opened_and_not_given_yet() -> None:
    door = Door()
    task = await door.begin()
    door.may_open.set()
    door.left.wait(PATIENCE)  # the loop has had no turn since, in which the result could have been given
    await _given_up(task)
    await until(lambda: door.closed == ["open"])


async def test_why_it_failed_interests_nobody_who_gave_up(caplog: pytest.LogCaptureFixture) -> None:
    door = Door(OSError("nobody there"))
    await _given_up(await door.begin())
    door.may_open.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    await asyncio.sleep(0)
    assert (door.closed, caplog.records) == ([], [])
