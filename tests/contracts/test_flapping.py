"""A device that comes and goes, supervised on real wires: held off, named, and let in again by a person."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from controller.table.events import DeviceLost
from controller.table.supervision import Supervision
from drivers.protocol.codes import DeviceClass
from drivers.reconnect import Pace, Reconnect
from tests.contracts.bench import Bench, Line
from tests.controller.table.test_supervision import Notes
from tests.drivers.wires import until

PACE = Pace(again=0.01, losses=3)


class House:
    """A supervision with one shoe, which is tried a hundred times as often as a real one."""

    def __init__(self, line: Line) -> None:
        self.bench = Bench(line, DeviceClass.SHOE)
        self.bench.device.reconnect = Reconnect(PACE)
        self.lost: list[DeviceLost] = []
        self.notes = Notes()
        self.supervision = Supervision({"shoe": self.bench.device}, self.lost.append, self.notes)

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

    async def lose_it(self) -> None:
        """The cable is pulled, and put back when that is known."""
        before = len(self.lost)
        self.bench.line.unplug()
        await until(lambda: len(self.lost) > before)
        self.bench.line.plug()


async def test_it_is_held_off_named_and_let_in_again(line: Line) -> None:
    house = House(line)
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
        house.supervision.poke()
        assert house.bench.device.reconnect.wait(time.monotonic()) > PACE.hold - 5, "a plug is no reason"
        house.supervision.renew("shoe")
        await house.reach("running")
        await until(lambda: house.supervision.views()[0].condition is not None)


async def test_a_plug_is_noticed_at_once_when_somebody_says_so(line: Line) -> None:
    house = House(line)
    house.bench.device.reconnect = Reconnect(Pace(again=30.0, losses=2))
    async with house.open():
        await house.reach("running")
        await house.lose_it()
        await house.reach("waiting")
        house.supervision.poke()
        await house.reach("running")
