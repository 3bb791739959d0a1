"""The device's side of two bulk endpoints. The bus calls from its own thread, the device from another."""

import threading
from collections import deque
from collections.abc import Callable

from drivers.sim.usb.descriptors import Identity

ROOM = 16_384
"""Bytes that each endpoint holds. A host that sends more has to wait; a device that sends more loses it."""


class Gadget:
    """Reads whole transfers, as device stacks do: a packet that is not full, or an empty one, ends a
    transfer. Calls `on_data` in the bus's thread whenever `take` has something."""

    def __init__(self, identity: Identity, on_data: Callable[[], None] = lambda: None) -> None:
        self.identity = identity
        self.lost = 0
        """Bytes to the host that nobody fetched in time."""
        self.halted: set[int] = set()
        """Endpoints that stall until the host clears them."""
        self._on_data = on_data
        self._change = threading.Condition()
        self._unfinished, self._received = bytearray(), bytearray()
        self._sent: deque[bytes] = deque()

    def take(self) -> bytes:
        """For the device: everything that the host has sent."""
        with self._change:
            data = bytes(self._received)
            self._received.clear()
            self._change.notify_all()
        return data

    def write(self, data: bytes) -> None:
        """For the device: sends to the host as one transfer."""
        with self._change:
            if sum(map(len, self._sent)) + len(data) > ROOM:
                self.lost += len(data)
            elif data:
                self._sent.append(data)
                self._change.notify_all()

    def accept(self, data: bytes) -> bool:
        """For the bus: packets from the host. False: the device has no room and takes none of them."""
        with self._change:
            if len(self._received) + len(self._unfinished) + len(data) > ROOM:
                return False
            self._unfinished += data
            ended = not data or len(data) % self.identity.packet != 0
            if ended:
                self._received += self._unfinished
                self._unfinished.clear()
        if ended:
            self._on_data()
        return True

    def give(self, most: int) -> bytes | None:
        """For the bus: the bytes for a host's transfer of at most `most`; None: there are none yet."""
        with self._change:
            if not self._sent:
                return None
            data = self._sent.popleft()
            if len(data) > most:
                self._sent.appendleft(data[most:])
            return data[:most]

    def reset(self) -> None:
        """The plug was pulled: drops everything on its way."""
        with self._change:
            self._unfinished.clear()
            self._received.clear()
            self._sent.clear()
            self._change.notify_all()

    def wait(self, ready: Callable[[], bool], seconds: float) -> bool:
        """For a bus that blocks: waits until `ready()`, which is checked after each change. False: it took
        too long."""
        with self._change:
            return self._change.wait_for(ready, seconds)

    def wake(self) -> None:
        """Makes those that wait check again."""
        with self._change:
            self._change.notify_all()
