"""The simulated device with a vendor interface, as its host sees it: the gadget that umockdev serves, too."""

import struct
from collections.abc import Callable, Mapping

from drivers.sim.usb.descriptors import IN, OUT, Identity
from drivers.sim.usb.gadget import Gadget
from tests.guest.usb.function import VENDOR_SPECIFIC, EndpointType, Setup


class VendorDevice:
    """A function around a gadget."""

    version = 0x0100
    interface_class = VENDOR_SPECIFIC
    endpoints: Mapping[int, EndpointType] = {IN: EndpointType.BULK, OUT: EndpointType.BULK}

    def __init__(self, serial: str) -> None:
        self._identity = Identity(serial)
        self._gadget = Gadget(self._identity)
        self._changed: Callable[[], None] = lambda: None
        self.vendor, self.product = self._identity.vendor, self._identity.product

    @property
    def lost(self) -> int:
        """Bytes to the host that nobody fetched in time."""
        return self._gadget.lost

    def plug(self, changed: Callable[[], None]) -> None:
        self._gadget.reset()
        self._changed = changed

    def control(self, setup: Setup) -> bytes | None:
        if not setup.kind & 0x80:
            return b""
        return self._identity.answer(
            struct.pack("<BBHHH", setup.kind, setup.request, setup.value, setup.index, setup.length)
        )

    def accept(self, data: bytes) -> bool:
        return self._gadget.accept(data)

    def give(self, most: int) -> bytes | None:
        return self._gadget.give(most)

    def take(self) -> bytes:
        return self._gadget.take()

    def write(self, data: bytes) -> None:
        self._gadget.write(data)
        self._changed()
