"""Supervision of real drivers on ports that are absent, refuse or fail; no time passes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn

import pytest

from controller.table.events import DeviceLost
from controller.table.supervision import Supervision
from drivers.device import DeviceSettings
from drivers.errors import Absent, DeviceFault, Refused
from drivers.link.facts import Bookmark
from drivers.shoe import Shoe
from drivers.transport import Transport


class Notes:
    """A log that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def warning(self, event: str, **fields: object) -> None:
        self.lines.append(("warning", str(fields.get("why", event))))

    def debug(self, event: str, **fields: object) -> None:
        self.lines.append(("debug", str(fields.get("why", event))))

    def error(self, event: str, **fields: object) -> None:
        self.lines.append(("error", str(fields.get("exc_info", event))))


class Naps:
    """Sleeps that take no time; after so many the test is over."""

    def __init__(self, most: int) -> None:
        self.taken: list[float] = []
        self.over = asyncio.Event()
        self._most = most

    async def sleep(self, seconds: float) -> None:
        self.taken.append(seconds)
        if len(self.taken) >= self._most:
            self.over.set()
            await asyncio.Event().wait()
        await asyncio.sleep(0)


def shoe(open_transport: Callable[[str, int], Awaitable[Transport]]) -> Shoe:
    settings = DeviceSettings("/nowhere/shoe", "SHOE-1")
    return Shoe(
        "shoe", settings, Bookmark, lambda _: None, clock=lambda: 0.0, alive=lambda: True,
        open_transport=open_transport,
    )  # fmt: skip


def always(error: Exception) -> Callable[[str, int], Awaitable[Transport]]:
    async def fail(_port: str, _baud: int) -> NoReturn:
        raise error

    return fail


async def supervised(device: Shoe, naps: Naps) -> tuple[list[DeviceLost], Notes, Supervision]:
    lost: list[DeviceLost] = []
    notes = Notes()
    supervision = Supervision({"shoe": device}, lost.append, notes, naps.sleep)
    running = asyncio.create_task(supervision.run())
    await naps.over.wait()
    running.cancel()
    await asyncio.wait({running})
    return lost, notes, supervision


async def test_an_empty_port_is_tried_every_second_and_told_once() -> None:
    naps = Naps(4)
    lost, notes, supervision = await supervised(shoe(always(Absent("shoe: no such port"))), naps)
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
    _, _, supervision = await supervised(shoe(always(error)), naps)
    assert naps.taken == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    assert supervision.views()[0].state == state


async def test_our_own_bug_is_another_alarm_and_ends_nothing() -> None:
    naps = Naps(2)
    lost, notes, supervision = await supervised(shoe(always(ZeroDivisionError("oops"))), naps)
    assert ("error", "oops") in notes.lines
    assert len(lost) == 1
    assert supervision.views()[0].detail == "our own bug: ZeroDivisionError('oops')"


async def test_a_person_asks_for_a_new_session() -> None:
    opened = asyncio.Semaphore(0)

    async def hang(_port: str, _baud: int) -> Transport:
        opened.release()
        await asyncio.Event().wait()
        raise AssertionError

    naps = Naps(9)
    supervision = Supervision({"shoe": shoe(hang)}, lambda _: None, Notes(), naps.sleep)
    running = asyncio.create_task(supervision.run())
    await opened.acquire()
    supervision.renew("shoe")
    await opened.acquire()
    assert naps.taken == [1.0]
    running.cancel()
    await asyncio.wait({running})
