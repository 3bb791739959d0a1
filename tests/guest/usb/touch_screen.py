"""A touch screen for one finger, as far as the kernel's hid_multitouch uses it.

Its reports are those of "Device Class Definition for HID" 1.11 and of the digitizer page of "HID Usage
Tables" 1.12. A report that the host has not fetched yet waits for it.
"""

import struct
from collections import deque
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Final

from drivers.ports.names import VENDOR
from tests.guest.usb.function import INTERVAL, PACKET, TO_HOST, EndpointType, Setup

PRODUCT: Final = 0x0003
END: Final = 0x81
"""The address of the endpoint that sends reports."""
EXTENT: Final = 32_767
"""The right and the lower edge, in the screen's own units."""
HUMAN_INTERFACE: Final = 3
"""The class of its interface."""
GET_DESCRIPTOR: Final = 0x06
GET_REPORT: Final = 0x01


class Descriptor(IntEnum):
    """Types of descriptors; the last two are those of a human interface."""

    DEVICE = 1
    CONFIGURATION = 2
    INTERFACE = 4
    ENDPOINT = 5
    HUMAN_INTERFACE = 0x21
    REPORT = 0x22


FINGER_REPORT, MOST_FINGERS_REPORT = 1, 2
FINGER: Final = struct.Struct("<BBBHHB")
"""The report's number, whether the finger touches, the finger's number, its place, the number of fingers."""
# One line for each item of a report: usage, size and use
DESCRIPTION: Final = bytes.fromhex(
    "050D 0904 A101"  # digitizer: a touch screen
    "8501 0922 A102"  # report 1: a finger
    "0942 1500 2501 7501 9501 8102"  # does it touch
    "9507 8103"  # seven unused bits
    "0951 257F 7508 9501 8102"  # number of the finger
    "0501 0930 26FF7F 7510 8102"  # from the left edge
    "0931 8102"  # from the upper edge
    "C0"
    "050D 0954 2501 7508 8102"  # fingers in this report
    "8502 0955 2501 B102"  # report 2: the most fingers
    "C0"
)


class TouchScreen:
    """One touch screen, in a running loop."""

    vendor, product, version = VENDOR, PRODUCT, 0x0100
    interface_class = HUMAN_INTERFACE
    endpoints: Mapping[int, EndpointType] = {END: EndpointType.INTERRUPT}

    def __init__(self) -> None:
        self._reports: deque[bytes] = deque()
        self._changed: Callable[[], None] = lambda: None

    def touch(self, x: float, y: float) -> None:
        """A finger at this place, as parts of the screen's width and height from its upper left corner."""
        self._report(1, x, y)

    def release(self, x: float, y: float) -> None:
        """The finger leaves the screen at this place."""
        self._report(0, x, y)

    def plug(self, changed: Callable[[], None]) -> None:
        self._reports.clear()
        self._changed = changed

    def control(self, setup: Setup) -> bytes | None:
        if not setup.kind & TO_HOST:
            return b""
        if setup.request == GET_DESCRIPTOR:
            return self._descriptor(setup.value >> 8)
        if setup.request == GET_REPORT and setup.value & 0xFF == MOST_FINGERS_REPORT:
            return bytes([MOST_FINGERS_REPORT, 1])
        return bytes(setup.length)

    def accept(self, data: bytes) -> bool:
        raise AssertionError(f"no endpoint of a touch screen takes {data!r}")

    def give(self, most: int) -> bytes | None:
        assert most >= FINGER.size
        return self._reports.popleft() if self._reports else None

    def take(self) -> bytes:
        return b""

    def write(self, data: bytes) -> None:
        raise AssertionError(f"no line is behind a touch screen for {data!r}")

    def _report(self, touches: int, x: float, y: float) -> None:
        place = round(x * EXTENT), round(y * EXTENT)
        self._reports.append(FINGER.pack(FINGER_REPORT, touches, 0, *place, 1))
        self._changed()

    def _descriptor(self, kind: int) -> bytes | None:
        match kind:
            case Descriptor.DEVICE:
                ids = (self.vendor, self.product, self.version)
                return struct.pack("<BBHBBBBHHHBBBB", 18, kind, 0x0200, 0, 0, 0, 64, *ids, 0, 0, 0, 1)
            case Descriptor.CONFIGURATION:
                parts = self._interface()
                return struct.pack("<BBHBBBBB", 9, kind, 9 + len(parts), 1, 1, 0, 0x80, 50) + parts
            case Descriptor.REPORT:
                return DESCRIPTION
            case _:
                return None

    def _interface(self) -> bytes:
        return (
            struct.pack("<BBBBBBBBB", 9, Descriptor.INTERFACE, 0, 0, 1, HUMAN_INTERFACE, 0, 0, 0)
            + struct.pack(
                "<BBHBBBH", 9, Descriptor.HUMAN_INTERFACE, 0x0111, 0, 1, Descriptor.REPORT, len(DESCRIPTION)
            )
            + struct.pack("<BBBBHB", 7, Descriptor.ENDPOINT, END, EndpointType.INTERRUPT, PACKET, INTERVAL)
        )
