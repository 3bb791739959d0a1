"""What a USB device is to its host, apart from the wire."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

TO_HOST: Final = 0x80
"""The bit of an endpoint's address, and of a request's type, that says that data goes to the host."""
PACKET: Final = 64
"""The most bytes of a bulk packet of a full-speed device."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The first eight bytes of a control transfer."""

    kind: int
    request: int
    value: int
    index: int
    length: int


class UsbFunction(Protocol):
    """A full-speed device with one interface of class 0xFF and two bulk endpoints."""

    vendor: int
    product: int
    version: int
    """In binary-coded decimals, as in its descriptor."""
    bulk_in: int
    bulk_out: int
    """The addresses of the endpoints."""

    def plug(self, changed: Callable[[], None]) -> None:
        """It gets power. It calls `changed` when there may be more for the host, or room for more of the
        host's."""

    def control(self, setup: Setup) -> bytes | None:
        """The answer to a control request; None: it stalls."""

    def accept(self, data: bytes) -> bool:
        """A transfer of the host. False: there is no room, and the host must wait."""

    def give(self, most: int) -> bytes | None:
        """What goes into a transfer of at most `most` bytes to the host; None: nothing yet."""

    def take(self) -> bytes:
        """For the device behind it: what the host has sent."""

    def write(self, data: bytes) -> None:
        """For the device behind it: sends to the host."""
