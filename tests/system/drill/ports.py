"""The daemon's ends of cables, whose bytes travel with the baton."""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from drivers.errors import Absent


class Port:
    """The host's end of one cable; a Transport while it is open."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.plugged = True
        self._sent, self._came = bytearray(), bytearray()
        self._open = False
        self._ready: Callable[[], None] = _nobody

    @property
    def counts(self) -> Mapping[str, int]:
        return {}

    async def open(self, _name: str, _baud: int) -> "Port":
        """As `drivers.ports.opening.open_port`; raises Absent without a cable."""
        if not self.plugged:
            raise Absent(f"port {self.name} cannot be opened: no cable")
        self._open = True
        self._came.clear()
        return self

    def watch(self, ready: Callable[[], None]) -> None:
        self._ready = ready

    def read(self) -> bytes:
        self._check()
        data = bytes(self._came)
        self._came.clear()
        return data

    def write(self, data: bytes) -> None:
        self._check()
        self._sent += data

    async def close(self) -> None:
        self._open, self._ready = False, _nobody

    def carry(self, came: bytes, *, plugged: bool) -> None:
        """Bytes are lost while nobody has the port open."""
        news = came or plugged != self.plugged
        self.plugged = plugged
        if self._open and news:
            self._came += came
            asyncio.get_running_loop().call_soon(self._wake)

    def collect(self) -> bytes:
        """Bytes that were written."""
        data = bytes(self._sent)
        self._sent.clear()
        return data

    def _wake(self) -> None:
        self._ready()  # the current watcher

    def _check(self) -> None:
        if not self.plugged:
            raise Absent(f"the device on port {self.name} is gone: unplugged")


def ports(names: Iterable[str]) -> dict[str, Port]:
    """A cable for each device."""
    return {name: Port(name) for name in names}


def _nobody() -> None:
    """Stands for the watcher until there is one."""
