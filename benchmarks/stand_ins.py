"""Five devices in one process, each on its own pty: the devices of the daemon while it is timed.

They do nothing by themselves, so only the daemon's time lies between a card and its lamps.
"""

import os
import select
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from controller.demo.table import serial
from drivers.messages import CommandBody, EventBody
from drivers.protocol.codes import DeviceClass, Reset, Status
from drivers.sim.link.device import BodyVitals, DeviceIdentity, DeviceLink
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import DeviceRandom, Provisioning
from drivers.sim.pty_port import PtyPort

PATIENCE = 60.0
"""Seconds after which waiting fails."""


class StandIn:
    """One device. It reports what the benchmark asks for, and remembers the last command of each kind."""

    def __init__(self, kind: str, link: Path, key: bytes) -> None:
        self.received: dict[type[CommandBody], CommandBody] = {}
        self.memory = Memory()
        self.listened = 0.0
        """When bytes were last read."""
        self.port = PtyPort(link)
        self.port.plug()
        self.link = DeviceLink(
            DeviceIdentity(DeviceClass[kind.upper()], serial(kind)),
            self.memory,
            self,
            random=DeviceRandom(Provisioning(key, os.urandom(32)), os.urandom),
            reset=Reset.POWER,
            now=time.monotonic(),
        )

    @property
    def committed(self) -> bool:
        """Whether the controller has all events on disk."""
        return self.memory.committed == self.memory.newest

    def report(self, event: EventBody) -> float:
        """Reports an event. Returns when its bytes left."""
        now = time.monotonic()
        self.link.record(event, now)
        data = self.link.take(now)
        left = time.perf_counter()
        self.port.write(data)
        return left

    def listen(self) -> None:
        """Takes bytes that arrived, and answers."""
        came = self.port.read()
        self.listened = time.perf_counter()
        now = time.monotonic()
        self.link.feed(came, now)
        self.link.tick(now)
        self.port.write(self.link.take(now))

    def command(self, record: CommandBody, _now: float) -> tuple[Status, str]:
        self.received[type(record)] = record
        return Status.DONE, ""

    def arm(self, now: float) -> None:
        """Does nothing: there is no safe state to leave."""

    def safe(self, now: float) -> None:
        """Does nothing: there is nothing to show."""

    def vitals(self) -> BodyVitals:
        return BodyVitals()


def serve(devices: Sequence[StandIn], until: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Serves devices until the condition is true. Raises TimeoutError after `patience` seconds."""
    waiting = {device.port.descriptor: device for device in devices}
    gives_up = time.monotonic() + patience
    while not until():
        now = time.monotonic()
        if now > gives_up:
            raise TimeoutError(f"the daemon went silent after {[device.received for device in devices]}")
        due = min(device.link.deadline(now) for device in devices)
        ready, _, _ = select.select(waiting, (), (), min(due - now, 0.001))
        for descriptor in ready or waiting:
            waiting[descriptor].listen()
