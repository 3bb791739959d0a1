"""The seam between the links and the ports: bytes to and from one open port.

Serial ports, pseudo-terminals, `socket://` device servers and USB endpoints implement it, and so does an
in-memory pair in the tests.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

BACKLOG: Final = 16_384
"""Bytes kept for a port that takes none; what comes on top is dropped, as on a bad line."""


class Transport(Protocol):
    """One open port. All calls are made on the event loop's thread and return at once."""

    @property
    def name(self) -> str:
        """The port as it was configured (its symlink, not what that points to today)."""

    @property
    def counts(self) -> Mapping[str, int]:
        """What went wrong on the port and did no lasting harm, by name: dropped bytes, stalls."""

    def watch(self, ready: Callable[[], None]) -> None:
        """Have `ready` called when read() has something: bytes, or the news that the device is gone."""

    def read(self) -> bytes:
        """All that has come, empty when nothing has. Raises Absent when the device is gone."""

    def write(self, data: bytes) -> None:
        """Write without waiting: what the port does not take is kept, up to BACKLOG bytes.

        Raises Absent when the device is gone.
        """

    async def close(self) -> None:
        """Give the port back; nothing is called or kept afterwards. May be called twice."""
