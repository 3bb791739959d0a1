"""A device driver and a real device's end on a wire that can be pulled, in real time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar

from drivers.devices.classes import BetSensors, DealerConsole, JackpotDisplay, Shoe, Shuffler
from drivers.devices.device import ConnectedSerials, Device, DeviceSettings
from drivers.devices.reconnect import ReconnectTiming
from drivers.errors import Absent, DriverError
from drivers.link.facts import Bookmark
from drivers.link.host import HostTimeouts
from drivers.link.reports import ActionEnded, DeviceEvent, DeviceReport, DeviceUp, EventsMissing
from drivers.messages import CardDrawn
from drivers.ports.opening import open_port
from drivers.ports.transport import Transport
from drivers.protocol.codes import DeviceClass
from tests.drivers.link.rig import Rig
from tests.drivers.usb_wires import ENDS, GadgetEnd
from tests.fixtures.wires import Awake, FarEnd, MemoryFarEnd, MemoryPort, PtyFarEnd, until

DEVICES: dict[DeviceClass, type[Device]] = {
    DeviceClass.SHOE: Shoe,
    DeviceClass.SHUFFLER: Shuffler,
    DeviceClass.SENSORS: BetSensors,
    DeviceClass.DISPLAY: JackpotDisplay,
    DeviceClass.CONSOLE: DealerConsole,
}
SERIAL = "SN-1"
TURN = 0.0005
"""Seconds between two turns of a device's main loop."""
Kind = TypeVar("Kind")


class Line(Protocol):
    """A wire with a plug."""

    port: str
    far: FarEnd | None

    def plug(self) -> None: ...

    def unplug(self) -> None: ...

    async def open(self, name: str, baud: int) -> Transport: ...


class MemoryLine:
    """Opened again, it has a new port: what waited in the old one is gone."""

    def __init__(self, folder: Path) -> None:
        self.port = str(folder / "port")
        self.far: FarEnd | None = None
        self.near: MemoryPort | None = None
        self._plugged = True

    def plug(self) -> None:
        self._plugged = True

    def unplug(self) -> None:
        self._plugged = False
        if self.far:
            self.far.hang_up()

    async def open(self, name: str, _baud: int) -> Transport:
        if not self._plugged:
            raise Absent(f"port {name} cannot be opened: nothing there")
        self.near = MemoryPort(name)
        self.far = MemoryFarEnd(self.near)
        return self.near


class PtyLine:
    """A pty behind a symlink."""

    def __init__(self, folder: Path) -> None:
        self._link = folder / "port"
        self.port = str(self._link)
        self.far: FarEnd | None = None
        self.plug()

    def plug(self) -> None:
        self.far = PtyFarEnd(self._link)

    def unplug(self) -> None:
        if self.far:
            self.far.hang_up()
        self._link.unlink(missing_ok=True)
        self.far = None

    async def open(self, name: str, baud: int) -> Transport:
        return await open_port(name, baud)


class UsbLine:
    """A socket of a hub, with the same device at each plug."""

    def __init__(self, end: GadgetEnd) -> None:
        self._end = end
        self.port = end.name
        self.far: FarEnd | None = end

    def plug(self) -> None:
        self._end.plug()
        self.far = self._end

    def unplug(self) -> None:
        self._end.hang_up()
        self.far = None

    async def open(self, _name: str, _baud: int) -> Transport:
        return await self._end.open()


def _usb_line(end: type[GadgetEnd]) -> Callable[[Path], Line]:
    return lambda _folder: UsbLine(end())


LINES: dict[str, Callable[[Path], Line]] = {
    "memory": MemoryLine,
    "pty": PtyLine,
    **{name: _usb_line(end) for name, end in ENDS.items()},
}


class Bench:
    """One driver, its device, and a journal that commits at once."""

    def __init__(
        self,
        line: Line,
        device_class: DeviceClass,
        *,
        rig: Rig | None = None,
        serial: str = SERIAL,
        connected: ConnectedSerials | None = None,
        patience: HostTimeouts | None = None,
        clock: Callable[[], float] | None = None,
        pace: ReconnectTiming | None = None,
    ) -> None:
        self.line = line
        self.clock = Awake()
        """The device's clock, and the driver's unless it has another."""
        self.rig = rig or Rig(self.clock(), device_class, SERIAL)
        self.reports: list[DeviceReport] = []
        self.bookmark = Bookmark()
        self.react: Callable[[DeviceReport], None] = lambda _report: None
        self.ended: list[DriverError] = []
        self.looks: list[tuple[str, str]] = []
        """Each state of the device, in order."""
        self.device = DEVICES[device_class](
            device_class.name.lower(),
            DeviceSettings(line.port, serial, key=self.rig.key),
            lambda: self.bookmark,
            self._deliver,
            clock=clock or self.clock,
            alive=lambda: True,
            connected=connected,
            timeouts=patience,
            open_transport=line.open,
            reconnect_timing=pace,
            on_change=lambda: self.looks.append((self.device.state, self.device.detail)),
        )

    def reports_of(self, kind: type[Kind]) -> list[Kind]:
        return [report for report in self.reports if isinstance(report, kind)]

    async def reach(self, state: str = "running") -> None:
        await until(lambda: self.device.state == state)

    async def quiet(self) -> None:
        """Waits until nothing is on its way: the device has had many turns since."""
        for _ in range(20):
            await asyncio.sleep(TURN)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """The device serves and the driver converses, and converses again whenever that ends."""
        tasks = [asyncio.create_task(self.serve()), asyncio.create_task(self._supervise())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.line.unplug()

    async def serve(self) -> None:
        """The device's main loop."""
        while True:
            self.turn()
            await asyncio.sleep(TURN)

    def turn(self) -> None:
        now = self.clock()
        if self.line.far is None:
            return
        if data := self.line.far.take():
            self.rig.feed(data, now)
        self.rig.tick(now)
        if out := self.rig.take(now):
            self.line.far.write(out)

    async def _supervise(self) -> None:
        while True:
            try:
                await self.device.converse()
            except DriverError as error:
                self.ended.append(error)
            await asyncio.sleep(0.01)

    def _deliver(self, report: DeviceReport) -> None:
        self.reports.append(report)
        self._journal(report)
        self.react(report)

    def _journal(self, report: DeviceReport) -> None:
        mark = self.bookmark
        match report:
            case DeviceUp(facts=facts) if facts.log != mark.log:
                mark = replace(mark, log=facts.log, newest=facts.committed, cards=facts.cards)
            case DeviceEvent(number=number, body=body):
                mark = replace(mark, newest=number)
                if isinstance(body, CardDrawn):
                    mark = replace(mark, cards=body.count)
            case EventsMissing(last=last):
                mark = replace(mark, newest=last)
            case ActionEnded(key=key):
                still = tuple(other for other in mark.open_actions if other != key)
                mark = replace(mark, open_actions=still)
        self.bookmark = mark
        if isinstance(report, DeviceEvent):
            self.device.commit(report.number)
        if isinstance(report, EventsMissing):
            self.device.commit(report.last)

    def open_action(self) -> int:
        """A key that is journaled as open."""
        key = self.device.reserve_key()
        self.bookmark = replace(self.bookmark, last_key=key, open_actions=(*self.bookmark.open_actions, key))
        return key
