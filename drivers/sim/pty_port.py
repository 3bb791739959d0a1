"""The pseudo-terminal a simulated device hangs on, under a name that stays."""

import os
import tty
from pathlib import Path

from drivers.ports.pty_link import PtyLink

CHUNK = 65_536


class PtyPort:
    """A raw pty whose slave has `link` as its name.

    The slave is kept open here: that nobody else has it open is no error, and bytes wait for a reader
    as in a UART's buffer. When that is full, bytes are lost as they would be on a line.
    """

    def __init__(self, link: Path) -> None:
        self._link = PtyLink(link)
        self._master = self._slave = -1
        self.lost = 0
        """Bytes that nobody read."""

    @property
    def plugged(self) -> bool:
        """The cable is in."""
        return self._master >= 0

    @property
    def descriptor(self) -> int:
        """To be watched for reading, while plugged."""
        return self._master

    def plug(self) -> None:
        """Open a new pty and point the link to it, in one step for whoever looks."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._link.point(os.ttyname(self._slave))

    def unplug(self) -> None:
        """Hang up: who has the slave open meets the end of the file; the link goes."""
        if self.plugged:
            self._link.remove()
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1

    def read(self) -> bytes:
        """All that has come, nothing if nothing has."""
        try:
            return os.read(self._master, CHUNK) if self.plugged else b""
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        """Send; what does not fit is lost."""
        if not data or not self.plugged:
            return
        try:
            written = os.write(self._master, data)
        except BlockingIOError:
            written = 0
        self.lost += len(data) - written
