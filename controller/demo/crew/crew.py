"""The dealer and the players, as a client of the control sockets of five simulated devices."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.demo.control_links import ControlLinks
from controller.demo.crew.device_requests import DeviceRequest
from controller.demo.crew.latency import Stopwatch
from controller.demo.crew.play import CrewMachine
from controller.demo.crew.playbook import Playbook

PATIENCE = 5.0
"""Seconds without a notice after which the crew tries again."""


class Crew:
    """Plays by itself. If a device or the daemon is lost, it waits and goes on.

    `controls`: control sockets by kind of device. `think`: seconds before each act. `patience`: see
    PATIENCE.
    """

    def __init__(
        self,
        controls: Mapping[str, Path],
        playbook: Playbook,
        seed: int,
        *,
        think: float = 0.0,
        patience: float = PATIENCE,
    ) -> None:
        self.machine = CrewMachine(playbook, seed)
        self.stopwatch = Stopwatch()
        self._links = ControlLinks(controls, self)
        self._think = think
        self._patience = patience
        self._pending: DeviceRequest | None = None
        self._changed = asyncio.Event()

    async def run(self, rounds: int | None = None, more: Callable[[], bool] = lambda: False) -> None:
        """Plays until that many rounds are over and no `more` are wanted, or for ever."""
        connected = asyncio.create_task(self._links.run())
        try:
            while rounds is None or len(self.machine.rounds) < rounds:
                await self._act()
                if rounds == len(self.machine.rounds) and more():
                    rounds += 1  # a whole one
        finally:
            connected.cancel()
            await asyncio.gather(connected, return_exceptions=True)

    async def _act(self) -> None:
        self._changed.clear()
        request = None if self._pending else self.machine.next()
        if request is not None and self._think:
            await asyncio.sleep(self._think)
            request = self.machine.next()
        if request is not None:
            self._send(request)
        await self._wait()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self._patience):  # wait_for may swallow a cancellation
                await self._changed.wait()
        except TimeoutError:
            self.machine.retry()

    def _send(self, request: DeviceRequest) -> None:
        if self._links.send(request.device, request.request):
            self._pending = request
            self.machine.sent(request)

    def notice(self, _device: str, notice: Mapping[str, Any]) -> None:
        self.machine.notice(notice)
        self.stopwatch.notice(notice)
        self._changed.set()

    def answered(self, _device: str, answer: Mapping[str, Any]) -> None:
        request, self._pending = self._pending, None
        if request is not None and "ok" in answer:
            self.machine.completed(request, answer)
            self._changed.set()
        elif request is not None:
            self.machine.refused(request)

    def lost(self, device: str) -> None:
        if self._pending is not None and self._pending.device == device:
            self._pending = None
        self.machine.disconnected(device)
        self._changed.set()
