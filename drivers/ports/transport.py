"""The seam between the links and the ports: bytes to and from one open port.

Serial ports, pseudo-terminals, `socket://` device servers and USB endpoints implement it, and so does an
in-memory pair in the tests.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

BACKLOG: Final = 16_384
"""The most bytes kept for a port that takes none. More is dropped, as on a bad line."""


class Transport(Protocol):
    """An open port. All calls come from the event loop's thread and return at once."""

    @property
    def name(self) -> str:
        """The port's name in the configuration: the symlink, not its target."""

    @property
    def counts(self) -> Mapping[str, int]:
        """What went wrong and did no lasting harm, by name: dropped bytes, stalls."""

    def watch(self, ready: Callable[[], None]) -> None:
        """Calls `ready` whenever `read` has something: bytes, or the news that the device is gone."""

    def read(self) -> bytes:
        """Returns everything that has arrived, or empty bytes. Raises Absent when the device is gone."""

    def write(self, data: bytes) -> None:
        """Writes without waiting. What the port does not take is kept, up to BACKLOG bytes.

        Raises Absent when the device is gone.
        """

    async def close(self) -> None:
        """Closes the port. Nothing is called or kept afterwards. May be called twice."""
