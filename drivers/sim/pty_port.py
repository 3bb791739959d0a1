"""The pseudo-terminal of a simulated device, under a stable name."""

import os
import tty
from pathlib import Path

from drivers.ports.pty_link import PtyLink

CHUNK = 65_536


class PtyPort:
    """A raw pty whose slave has `link` as its name.

    The slave stays open here. So it is not an error that nobody else has it open, and bytes wait for a
    reader as in the buffer of a UART. When that is full, bytes are lost as on a line.
    """

    def __init__(self, link: Path) -> None:
        self._link = PtyLink(link)
        self._master = self._slave = -1
        self.lost = 0
        """Bytes that nobody read."""

    @property
    def plugged(self) -> bool:
        return self._master >= 0

    @property
    def descriptor(self) -> int:
        """To watch for reading while plugged."""
        return self._master

    def plug(self) -> None:
        """Opens a new pty and points the link to it atomically."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._link.point(os.ttyname(self._slave))

    def unplug(self) -> None:
        """Hangs up: a reader of the slave meets the end of the file. Removes the link."""
        if self.plugged:
            self._link.remove()
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1

    def read(self) -> bytes:
        """Everything that has come; empty if there is nothing."""
        try:
            return os.read(self._master, CHUNK) if self.plugged else b""
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        """Sends; what does not fit is lost."""
        if not data or not self.plugged:
            return
        try:
            written = os.write(self._master, data)
        except BlockingIOError:
            written = 0
        self.lost += len(data) - written
