"""Requests to the simulated devices, with their answers."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.demo.control_links import ControlLinks
from controller.demo.simulator.errors import DeviceAbsent, Impossible

See = Callable[[str, Mapping[str, Any]], None]
Lose = Callable[[str], None]


class DeviceRequests:
    """`see` gets each notice with its device, `lose` each device whose process ended."""

    def __init__(self, controls: Mapping[str, Path], see: See, lose: Lose) -> None:
        self._links = ControlLinks(controls, self)
        self._see, self._lose = see, lose
        self._waiting: Mapping[str, deque[asyncio.Future[Mapping[str, Any]]]] = {
            device: deque() for device in controls
        }

    async def run(self) -> None:
        """Keeps all devices connected until cancelled."""
        await self._links.run()

    async def ask(self, device: str, do: str, **fields: Any) -> Mapping[str, Any]:
        """The answer of a device. Raises DeviceAbsent, or Impossible if it refuses."""
        if not self._links.send(device, {"do": do, **fields}):
            raise DeviceAbsent(f"simulated device {device!r}: it does not run")
        waiting: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[device].append(waiting)
        answer = await waiting
        if "error" in answer:
            raise Impossible(answer["error"])
        return answer

    def notice(self, device: str, notice: Mapping[str, Any]) -> None:
        self._see(device, notice)

    def answered(self, device: str, answer: Mapping[str, Any]) -> None:
        waiting = self._waiting[device].popleft()
        if not waiting.done():
            waiting.set_result(answer)

    def lost(self, device: str) -> None:
        while self._waiting[device]:
            waiting = self._waiting[device].popleft()
            if not waiting.done():
                waiting.set_exception(
                    DeviceAbsent(f"simulated device {device!r}: it ended before it answered")
                )
        self._lose(device)
