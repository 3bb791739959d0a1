"""A relay in the middle of a cable: everything passes, and a test may add more."""

import os
import select
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from drivers.ports.pty_link import SUFFIX, PtyLink

CHUNK = 4096


class Relay:
    """Inside the block, `port` leads to a pty of its own, and that to the original device."""

    def __init__(self, port: Path) -> None:
        self.seen = bytearray()
        """Everything that the device sent."""
        self._port, self._link = port, PtyLink(port)
        self._device_name = port.readlink()
        self._device = self._near = self._far = -1
        self._awake, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._carry)

    def __enter__(self) -> Self:
        self._near, self._far = os.openpty()
        tty.setraw(self._far)
        self._device = os.open(self._device_name, os.O_RDWR | os.O_NOCTTY)
        for name, aside in self._names():
            name.rename(aside)
        self._link.point(os.ttyname(self._far))
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        os.write(self._wake, b".")
        self._thread.join()
        self._link.remove()
        for name, aside in self._names():
            aside.rename(name)
        for descriptor in (self._near, self._far, self._device, self._awake, self._wake):
            os.close(descriptor)

    def pour(self, junk: bytes) -> None:
        """Adds bytes toward the host and toward the device, in one go."""
        os.write(self._near, junk)
        os.write(self._device, junk)

    def _carry(self) -> None:
        while True:
            ready, _, _ = select.select([self._awake, self._near, self._device], [], [])
            if self._awake in ready:
                return
            for source in ready:
                data = os.read(source, CHUNK)
                os.write(self._device if source == self._near else self._near, data)
                if source == self._device:
                    self.seen += data

    def _names(self) -> Iterator[tuple[Path, Path]]:
        """The names that belong to the device's port, and where they are meanwhile."""
        for end in (SUFFIX, ""):
            yield (
                self._port.with_name(f"{self._port.name}{end}"),
                self._port.with_name(f"{self._port.name}.aside{end}"),
            )
