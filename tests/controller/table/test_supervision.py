"""Supervision of real drivers on ports that are absent, refuse or fail; time is virtual."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import cycle
from typing import NoReturn

import pytest

from controller.table.record.events import DeviceLost
from controller.table.supervision import Supervision
from drivers.devices.classes import Shoe
from drivers.devices.device import DeviceSettings
from drivers.errors import Absent, DeviceFault, Refused, Unproved
from drivers.link.facts import Bookmark
from drivers.ports.transport import Transport
from tests.fixtures.logs import Notes


class Naps:
    """Sleeps that take no time, and the clock that they move; after a number of them the test ends."""

    def __init__(self, most: int) -> None:
        self.now = 0.0
        self.taken: list[float] = []
        self.over = asyncio.Event()
        self._most = most

    async def sleep(self, seconds: float) -> None:
        self.taken.append(seconds)
        if len(self.taken) >= self._most:
            self.over.set()
            await asyncio.Event().wait()
        self.now += seconds
        await asyncio.sleep(0)

    def clock(self) -> float:
        return self.now


def shoe(naps: Naps, open_transport: Callable[[str, int], Awaitable[Transport]]) -> Shoe:
    settings = DeviceSettings("/nowhere/shoe", "SHOE-1")
    return Shoe(
        "shoe",
        settings,
        Bookmark,
        lambda _: None,
        clock=naps.clock,
        alive=lambda: True,
        open_transport=open_transport,
    )


def always(error: Exception) -> Callable[[str, int], Awaitable[Transport]]:
    async def fail(_port: str, _baud: int) -> NoReturn:
        raise error

    return fail


async def supervised(device: Shoe, naps: Naps) -> tuple[list[DeviceLost], Notes, Supervision]:
    lost: list[DeviceLost] = []
    notes = Notes()
    supervision = Supervision({"shoe": device}, lost.append, notes, naps.sleep, naps.clock)
    running = asyncio.create_task(supervision.run())
    await naps.over.wait()
    running.cancel()
    await asyncio.wait({running})
    return lost, notes, supervision


async def test_an_empty_port_is_tried_every_second_and_told_once() -> None:
    naps = Naps(4)
    lost, notes, supervision = await supervised(shoe(naps, always(Absent("shoe: no such port"))), naps)
    assert naps.taken == [1.0] * 4
    assert lost == [DeviceLost("shoe", "shoe: no such port")]
    assert [level for level, _ in notes.lines] == ["warning", "debug", "debug", "debug"]
    (seen,) = supervision.views()
    assert (seen.state, seen.detail, seen.port) == ("waiting", "shoe: no such port", "/nowhere/shoe")
    assert seen.insecure


@pytest.mark.parametrize(
    ("error", "state"),
    [(Refused("identity", "found SHOE-2"), "refused"), (DeviceFault("gap", "event 9"), "backing off")],
)
async def test_a_refused_or_broken_device_is_left_alone_longer_each_time(
    error: Exception, state: str
) -> None:
    naps = Naps(7)
    _, _, supervision = await supervised(shoe(naps, always(error)), naps)
    assert naps.taken == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    assert supervision.views()[0].state == state


async def test_a_hundred_refusals_before_a_proof_are_no_event_and_few_lines() -> None:
    naps = Naps(100)
    refused = Unproved("version", "shoe: speaks TSL/2 (unproved)")
    lost, notes, supervision = await supervised(shoe(naps, always(refused)), naps)
    assert naps.taken == [1.0] * 100
    assert lost == []
    assert notes.lines == [("warning", "shoe: speaks TSL/2 (unproved)")] * 2
    assert (supervision.views()[0].state, supervision.views()[0].detail) == ("refused", str(refused))


async def test_each_reason_of_a_refusal_before_a_proof_has_a_line() -> None:
    naps = Naps(20)
    reasons = cycle(("version", "seal", "hello"))

    async def fail(_port: str, _baud: int) -> NoReturn:
        reason = next(reasons)
        raise Unproved(reason, reason)

    lost, notes, _ = await supervised(shoe(naps, fail), naps)
    assert lost == []
    assert [text for _, text in notes.lines] == ["version", "seal", "hello"]


async def test_our_own_bug_is_another_alarm_and_ends_nothing() -> None:
    naps = Naps(2)
    lost, notes, supervision = await supervised(shoe(naps, always(ZeroDivisionError("oops"))), naps)
    assert ("error", "oops") in notes.lines
    assert len(lost) == 1
    assert supervision.views()[0].detail == "our own bug: ZeroDivisionError"


async def hang(_port: str, _baud: int) -> Transport:
    await asyncio.Event().wait()
    raise AssertionError("nobody waits so long")


class Opened:
    """A port whose opening takes for ever, or is refused a number of times; counts the attempts."""

    def __init__(self, *errors: Exception) -> None:
        self.times = asyncio.Semaphore(0)
        self._errors = list(errors)

    async def __call__(self, port: str, baud: int) -> Transport:
        self.times.release()
        if self._errors:
            raise self._errors.pop(0)
        return await hang(port, baud)


@asynccontextmanager
async def running(device: Shoe, naps: Naps) -> AsyncIterator[Supervision]:
    supervision = Supervision({"shoe": device}, lambda _: None, Notes(), naps.sleep, naps.clock)
    task = asyncio.create_task(supervision.run())
    yield supervision
    task.cancel()
    await asyncio.wait({task})


async def test_a_person_asks_for_a_new_session() -> None:
    naps, opened = Naps(9), Opened()
    async with running(shoe(naps, opened), naps) as supervision:
        await opened.times.acquire()
        supervision.renew("shoe")
        await opened.times.acquire()
    assert naps.taken == [1.0]


@pytest.mark.parametrize("error", [Absent("no such port"), Refused("proof", "x"), DeviceFault("gap", "x")])
async def test_whoever_is_missing_is_tried_at_once_when_something_is_plugged_in(error: Exception) -> None:
    naps, opened = Naps(1), Opened(error)
    async with running(shoe(naps, opened), naps) as supervision:
        await naps.over.wait()
        await opened.times.acquire()
        supervision.retry_missing()
        await opened.times.acquire()
        supervision.retry_missing()
        await asyncio.sleep(0)
        assert opened.times.locked(), "who is being tried is left alone"
    assert naps.taken == [1.0]
