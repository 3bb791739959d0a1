"""Tasks end even if the library that they wait with loses a cancellation."""

import asyncio

import pytest

from controller.process import tasks
from controller.process.tasks import end_tasks, run_parts
from tests.fixtures.waiting import PATIENCE


async def test_a_task_that_loses_its_first_cancellation_ends_with_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "PATIENCE", 0.01)
    lost = list[str]()

    async def work() -> None:
        for name in ("first", "second"):
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                lost.append(name)
        await asyncio.sleep(30)

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    await end_tasks([task])
    assert task.cancelled()
    assert lost == ["first", "second"]


async def test_the_error_of_a_task_that_failed_is_raised() -> None:
    async def fail() -> None:
        raise OSError("the disk")

    task = asyncio.create_task(fail())
    await asyncio.wait({task})
    with pytest.raises(OSError, match="the disk"):
        await end_tasks([asyncio.create_task(asyncio.sleep(30)), task])


async def test_parts_end_together_although_one_loses_a_cancellation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "PATIENCE", 0.01)
    lost = list[str]()

    async def work() -> None:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            lost.append("first")
        await asyncio.sleep(30)

    running = asyncio.create_task(run_parts([work(), asyncio.sleep(30)]))
    for _ in range(3):
        await asyncio.sleep(0)
        running.cancel()
    await asyncio.wait({running}, timeout=PATIENCE)
    assert (running.cancelled(), lost) == (True, ["first"])
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_part_that_fails_ends_the_others() -> None:
    ended = list[str]()

    async def fail() -> None:
        raise OSError("the disk")

    async def work() -> None:
        try:
            await asyncio.sleep(30)
        finally:
            ended.append("work")

    with pytest.raises(OSError, match="the disk"):
        await run_parts([work(), fail()])
    assert ended == ["work"]
