"""Simulated devices as a process: each is a unit on a pty or on USB, with its control socket."""

import asyncio
import ctypes
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from drivers.sim.control import ControlServer
from drivers.sim.requests import Response
from drivers.sim.unit import Unit

PR_SET_PDEATHSIG = 1
PLUGGED = ({"notice": "cable", "plugged": True},)


class Port(Protocol):
    """What connects a unit to its host."""

    @property
    def plugged(self) -> bool: ...

    @property
    def descriptor(self) -> int:
        """To watch for reading while plugged."""

    def plug(self) -> None: ...

    def unplug(self) -> None:
        """Does nothing if it is out."""

    def read(self) -> bytes: ...

    def write(self, data: bytes) -> None:
        """Sends; what nobody takes is lost."""


class Station:
    """Serves one unit until it is asked to stop. Clients that do not read do not hold it up."""

    def __init__(
        self, unit: Unit, port: Port, control: Path, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._unit = unit
        self._clock = clock
        self._port = port
        self._control = ControlServer(control, self._ask, unit.look)
        self._timer: asyncio.TimerHandle | None = None

    async def serve(self, stop: asyncio.Event) -> None:
        """Opens the port, then the control socket; closes both when `stop` is set."""
        self._run_once()
        await self._control.open()
        try:
            await stop.wait()
        finally:
            self._leave()
            await self._control.close()

    def _ask(self, request: object) -> Response:
        answer = self._unit.ask(request, self._clock())
        asyncio.get_running_loop().call_soon(self._run_once)
        return answer

    def _run_once(self) -> None:
        now = self._clock()
        self._unit.receive(self._port.read(), now)
        self._unit.tick(now)
        self._plug()
        self._port.write(self._unit.transmit(now))
        self._publish()
        self._sleep(now)

    def _publish(self) -> None:
        written = self._clock()
        self._control.publish(self._stamped(notice, written) for notice in self._unit.notices())

    def _stamped(self, notice: dict[str, Any], written: float) -> dict[str, Any]:
        """The time of a card is that of its bytes on the line, because the table sees it then."""
        return {**notice, "at": written} if notice["notice"] == "card" else notice

    def _plug(self) -> None:
        if self._unit.plugged == self._port.plugged:
            return
        if self._port.plugged:
            self._unwatch()
            self._port.unplug()
        else:
            self._port.plug()
            asyncio.get_running_loop().add_reader(self._port.descriptor, self._run_once)
            self._control.publish({**notice, "at": self._clock()} for notice in PLUGGED)

    def _sleep(self, now: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        deadline = self._unit.deadline(now)
        late = deadline == float("inf")
        self._timer = (
            None if late else asyncio.get_running_loop().call_later(deadline - self._clock(), self._run_once)
        )

    def _leave(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._unwatch()
        self._port.unplug()

    def _unwatch(self) -> None:
        if self._port.plugged:
            asyncio.get_running_loop().remove_reader(self._port.descriptor)


def die_with_parent() -> None:
    """Asks the kernel for SIGTERM when the process that started this one ends."""
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it ended in between
        os.kill(os.getpid(), signal.SIGTERM)


async def run(*stations: Station) -> None:
    """Serves all of them until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    die_with_parent()
    await asyncio.gather(*(station.serve(stop) for station in stations))
