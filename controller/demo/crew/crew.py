"""The dealer and the players, at the control sockets of five simulated devices."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.demo.crew.device_requests import Ask
from controller.demo.crew.latency import Stopwatch
from controller.demo.crew.play import Play
from controller.demo.crew.playbook import Manners

RETRY = 0.05
"""Seconds between attempts to reach a device that is not there."""
PATIENCE = 5.0
"""Seconds without any news after which the crew tries again what it did."""
LONGEST_LINE = 1 << 20


class Crew:
    """Plays by itself. Whatever is lost, a device or the daemon, it waits and goes on.

    `controls`: the control sockets by kind of device. `think`: seconds before each act. `patience`: see
    PATIENCE.
    """

    def __init__(
        self,
        controls: Mapping[str, Path],
        manners: Manners,
        seed: int,
        *,
        think: float = 0.0,
        patience: float = PATIENCE,
    ) -> None:
        self.play = Play(manners, seed)
        self.stopwatch = Stopwatch()
        self._controls = controls
        self._think = think
        self._patience = patience
        self._writers: dict[str, asyncio.StreamWriter] = {}
        self._asked: Ask | None = None
        self._news = asyncio.Event()

    async def run(self, rounds: int | None = None, more: Callable[[], bool] = lambda: False) -> None:
        """Play until so many rounds are over and no `more` are wanted, or for ever."""
        watchers = [asyncio.create_task(self._watch(device)) for device in self._controls]
        try:
            while rounds is None or len(self.play.rounds) < rounds:
                await self._act()
                if rounds == len(self.play.rounds) and more():
                    rounds += 1  # a whole one
        finally:
            for watcher in watchers:
                watcher.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)

    async def _act(self) -> None:
        self._news.clear()
        ask = None if self._asked else self.play.next()
        if ask is not None and self._think:
            await asyncio.sleep(self._think)
            ask = self.play.next()
        if ask is not None:
            self._send(ask)
        await self._wait()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self._patience):  # wait_for may swallow a cancellation
                await self._news.wait()
        except TimeoutError:
            self.play.impatient()

    def _send(self, ask: Ask) -> None:
        if writer := self._writers.get(ask.device):
            self._asked = ask
            self.play.begun(ask)
            writer.write(json.dumps(ask.request).encode() + b"\n")

    async def _watch(self, device: str) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_unix_connection(
                    self._controls[device], limit=LONGEST_LINE
                )
            except OSError:
                await asyncio.sleep(RETRY)
                continue
            try:
                self._writers[device] = writer
                await self._read(reader)
            except ConnectionError:
                pass
            finally:
                writer.close()
                self._lose(device)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        async for line in reader:
            record = json.loads(line)
            if "notice" in record:
                self.play.notice(record)
                self.stopwatch.notice(record)
                self._news.set()
            else:
                self._answered(record)

    def _answered(self, answer: dict[str, Any]) -> None:
        ask, self._asked = self._asked, None
        if ask is not None and "ok" in answer:
            self.play.done(ask, answer)
            self._news.set()
        elif ask is not None:
            self.play.refused(ask)

    def _lose(self, device: str) -> None:
        self._writers.pop(device, None)
        if self._asked is not None and self._asked.device == device:
            self._asked = None
        self.play.lost(device)
        self._news.set()
