"""The device under test as the technician names it."""

from dataclasses import dataclass

from drivers.link.frames import LINE_OVERHEAD
from drivers.link.key_schedule import seal_of
from drivers.link.limits import BITS_PER_BYTE
from drivers.link.seal import OVERHEAD
from drivers.protocol.codes import DeviceClass, Seal

ADAPTER = 0.040
"""Seconds that a line may add to any answer: USB serial adapters keep bytes for up to 16 ms each way, and
this computer has other work."""
TYPICAL = 60
"""Payload bytes of a rather long answer."""


@dataclass(frozen=True, slots=True)
class DeviceUnderTest:
    """Class, serial number, key (empty: seal none) and line rate (0: a line without one)."""

    device_class: DeviceClass
    serial: str
    key: bytes = b""
    baud: int = 115_200

    @property
    def seal(self) -> Seal:
        return seal_of(self.key)

    @property
    def overhead(self) -> int:
        """Bytes that sealing adds to a message."""
        return OVERHEAD if self.key else 0

    def line_time(self, payload: int, frames: int = 1) -> float:
        """Seconds that frames with this payload need on the line."""
        size = frames * (LINE_OVERHEAD + self.overhead + payload)
        return size * BITS_PER_BYTE / self.baud if self.baud else 0.0

    @property
    def margin(self) -> float:
        """Seconds that a prompt answer may be late: the adapter, and a question and an answer on the line."""
        return ADAPTER + self.line_time(TYPICAL, 2)
