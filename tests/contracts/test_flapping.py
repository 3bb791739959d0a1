"""A device that comes and goes, supervised on real wires: held off, named, and let in again by a person."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from controller.table.record.events import DeviceLost
from controller.table.supervision import Supervision
from drivers.devices.reconnect import ReconnectTiming
from drivers.protocol.codes import DeviceClass
from tests.contracts.bench import Bench, Line
from tests.fixtures.logs import Notes
from tests.fixtures.waiting import PATIENCE
from tests.fixtures.wires import Awake, until

PACE = ReconnectTiming(again=0.01, losses=3)


class SupervisedShoe:
    """Supervision of one shoe, which is tried a hundred times as often as a real one."""

    def __init__(self, line: Line, pace: ReconnectTiming = PACE) -> None:
        self.slept, self.awake = 0.0, Awake()
        self.bench = Bench(line, DeviceClass.SHOE, clock=self.clock, pace=pace)
        self.lost: list[DeviceLost] = []
        self.notes = Notes()
        self.supervision = Supervision(
            {"shoe": self.bench.device}, self.lost.append, self.notes, clock=self.clock
        )

    def clock(self) -> float:
        return self.awake() + self.slept

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(each) for each in (self.supervision.run(), self.bench.serve())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.bench.line.unplug()

    async def reach(self, state: str) -> None:
        await until(lambda: self.bench.device.state == state)

    def came(self, times: int) -> bool:
        return self.bench.device.counters.sessions == times

    def went(self, times: int) -> bool:
        return len(self.lost) == times

    async def lose_it(self) -> None:
        """Pulls the cable, and puts it back when that is known."""
        before = len(self.lost)
        self.bench.line.unplug()
        await until(lambda: len(self.lost) > before)
        self.bench.line.plug()


async def test_a_flapping_device_is_held_off_named_and_let_in_again(line: Line) -> None:
    house = SupervisedShoe(line)
    async with house.open():
        for _ in range(2):
            await house.reach("running")
            await house.lose_it()
        await house.reach("running")
        await house.lose_it()
        await house.reach("held off")
        last = house.lost[-1]
        assert last.held
        assert last.why.startswith(f"shoe on port {line.port} comes and goes: 3 sessions lost within 60 s.")
        assert house.notes.lines[-1] == ("warning", last.why)
        (seen,) = house.supervision.views()
        assert (seen.state, seen.detail, seen.condition) == ("held off", last.why, None)
        house.supervision.retry_missing()
        waits = house.bench.device.status.reconnect.wait(house.clock())
        assert waits > PACE.hold - 5, "a plug is no reason"
        house.supervision.renew("shoe")
        await house.reach("running")
        await until(lambda: house.supervision.views()[0].condition is not None)


async def test_a_plug_is_noticed_at_once_when_somebody_says_so(line: Line) -> None:
    house = SupervisedShoe(line, ReconnectTiming(again=10 * PATIENCE, longest=10 * PATIENCE, losses=2))
    async with house.open():
        await house.reach("running")
        await house.lose_it()
        await house.reach("waiting")
        house.supervision.retry_missing()
        await house.reach("running")


async def test_who_overslept_blames_no_device(line: Line) -> None:
    house = SupervisedShoe(line)
    async with house.open():
        for number in range(1, PACE.losses + 2):
            await until(partial(house.came, number))
            await house.reach("running")
            house.slept += 3.1
            await until(partial(house.went, number))
    assert not any(lost.held for lost in house.lost)
    assert "did not run for 3." in house.lost[0].why
