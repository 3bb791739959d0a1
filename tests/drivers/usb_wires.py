"""The wires that are USB: pyusb on a double of its backend; libusb, pyusb and udev on a bus of umockdev's.

The second needs umockdev's wrapper before the whole process: see tests/contracts/test_over_umockdev.py.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from drivers.ports.names import ByPath, BySerial
from drivers.ports.opening import open_port
from drivers.ports.transport import Transport
from drivers.ports.usb_port import open_usb
from drivers.sim.usb import umockdev
from drivers.sim.usb.bus import Bus
from drivers.sim.usb.descriptors import Identity
from drivers.sim.usb.gadget import Gadget
from tests.drivers.usb_double import DoubleBackend
from tests.fixtures.wires import WIRES, Wire

SERIAL = "SN-1"


class GadgetEnd(ABC):
    """The device's side: a simulated device, plugged in or not."""

    def __init__(self, name: str = "") -> None:
        self.gadget = Gadget(Identity(SERIAL))
        self.name = name or by_serial(self.gadget)
        self.take, self.write = self.gadget.take, self.gadget.write
        self.plugged = False
        self.plug()

    def plug(self) -> None:
        if not self.plugged:
            self.plugged = True
            self._plug()

    def hang_up(self) -> None:
        if self.plugged:
            self.plugged = False
            self._unplug()

    @abstractmethod
    async def open(self) -> Transport:
        """The host's side."""

    @abstractmethod
    def pull_at(self, call: int) -> None:
        """Has the plug pulled during this call to the device, counted from its plugging in."""

    @abstractmethod
    def _plug(self) -> None: ...

    @abstractmethod
    def _unplug(self) -> None: ...


class DoubleEnd(GadgetEnd):
    """On the double of pyusb's backend."""

    def __init__(self) -> None:
        self.backend = DoubleBackend()
        super().__init__()

    async def open(self) -> Transport:
        return await open_usb(self.name, lambda: self.backend)

    def pull_at(self, call: int) -> None:
        self.backend.pull_at = call

    def _plug(self) -> None:
        self.backend.calls.clear()
        self.backend.pull_at = 0
        self.backend.plug(self.gadget)

    def _unplug(self) -> None:
        self.backend.unplug()


class BusEnd(GadgetEnd):
    """On umockdev's bus."""

    async def open(self) -> Transport:
        return await open_port(self.name)

    def pull_at(self, call: int) -> None:
        self.usbfs.pull_at = call

    def _plug(self) -> None:
        self.usbfs = bus().plug(self.gadget)

    def _unplug(self) -> None:
        bus().unplug()


@cache
def bus() -> Bus:
    """The one bus of this process."""
    return Bus()


def by_serial(gadget: Gadget) -> str:
    """The name of its port by its serial number."""
    who = gadget.identity
    return str(BySerial(who.vendor, who.product, who.serial))


@asynccontextmanager
async def _wire(end: GadgetEnd) -> AsyncIterator[Wire]:
    port = await end.open()
    yield port, end
    await port.close()
    end.hang_up()


@asynccontextmanager
async def double_wire(_folder: Path) -> AsyncIterator[Wire]:
    async with _wire(DoubleEnd()) as wire:
        yield wire


@asynccontextmanager
async def umockdev_wire(_folder: Path) -> AsyncIterator[Wire]:
    async with _wire(BusEnd()) as wire:
        yield wire


@asynccontextmanager
async def umockdev_path_wire(_folder: Path) -> AsyncIterator[Wire]:
    async with _wire(BusEnd(str(ByPath(Bus.id_path(1))))) as wire:
        yield wire


UMOCKDEV_WIRES = {"umockdev": umockdev_wire, "umockdev-path": umockdev_path_wire}
ENDS: dict[str, type[GadgetEnd]] = {"usb-double": DoubleEnd}
"""The ends that this process can have."""
ALL_WIRES = {**WIRES, "usb-double": double_wire}
if umockdev.preloaded():
    ENDS["umockdev"] = BusEnd
    ALL_WIRES |= UMOCKDEV_WIRES
