"""A USB bus as the port of a simulated device, in place of a pseudo-terminal."""

import os
from pathlib import Path

from drivers.sim.usb.bus import Bus
from drivers.sim.usb.descriptors import Identity
from drivers.sim.usb.gadget import Gadget


class UsbPort:
    """A gadget on a bus of its own. `folder` is what $UMOCKDEV_DIR must be, and may exist."""

    def __init__(self, folder: Path, serial: str) -> None:
        self._bus = Bus(folder.absolute())
        self._gadget = Gadget(Identity(serial), self._on_data)
        self._event = -1

    @property
    def plugged(self) -> bool:
        return self._event >= 0

    @property
    def descriptor(self) -> int:
        """To watch for reading while plugged."""
        return self._event

    @property
    def lost(self) -> int:
        """Bytes that nobody read."""
        return self._gadget.lost

    def plug(self) -> None:
        """Plugs it in. To the bus it is another device than before."""
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._bus.plug(self._gadget)

    def unplug(self) -> None:
        if self.plugged:
            self._bus.unplug()
            os.close(self._event)
            self._event = -1

    def read(self) -> bytes:
        """Everything that has come; empty if there is nothing."""
        if not self.plugged:
            return b""
        try:
            os.eventfd_read(self._event)
        except BlockingIOError:
            return b""
        return self._gadget.take()

    def write(self, data: bytes) -> None:
        """Sends; what does not fit is lost."""
        if self.plugged:
            self._gadget.write(data)

    def _on_data(self) -> None:
        os.eventfd_write(self._event, 1)
