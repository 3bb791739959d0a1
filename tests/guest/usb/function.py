"""What a USB device is to its host, apart from the wire."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Protocol

TO_HOST: Final = 0x80
"""The bit of an endpoint's address, and of a request's type, that says that data goes to the host."""
PACKET: Final = 64
"""The most bytes of a bulk or interrupt packet of a full-speed device."""
INTERVAL: Final = 10
"""Milliseconds after which the host asks an interrupt endpoint again."""
VENDOR_SPECIFIC: Final = 0xFF


class EndpointType(IntEnum):
    """As in an endpoint's descriptor."""

    CONTROL = 0
    BULK = 2
    INTERRUPT = 3


@dataclass(frozen=True, slots=True)
class Setup:
    """The first eight bytes of a control transfer."""

    kind: int
    request: int
    value: int
    index: int
    length: int


class UsbFunction(Protocol):
    """A full-speed device with one interface. At most one of its endpoints sends to the host."""

    vendor: int
    product: int
    version: int
    """In binary-coded decimals, as in its descriptor."""
    interface_class: int
    endpoints: Mapping[int, EndpointType]
    """By address, without the two for control."""

    def plug(self, changed: Callable[[], None]) -> None:
        """It gets power. It calls `changed` when there may be more for the host, or room for more of the
        host's."""

    def control(self, setup: Setup) -> bytes | None:
        """The answer to a control request; None: it stalls."""

    def accept(self, data: bytes) -> bool:
        """A transfer of the host. False: there is no room, and the host must wait."""

    def give(self, most: int) -> bytes | None:
        """What goes into a transfer or an interrupt packet of at most `most` bytes to the host; None: nothing
        yet."""

    def take(self) -> bytes:
        """For the device behind it: what the host has sent."""

    def write(self, data: bytes) -> None:
        """For the device behind it: sends to the host."""
