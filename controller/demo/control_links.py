"""Connections to the control sockets of simulated devices, which come back by themselves."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

RETRY = 0.05
"""Seconds between attempts to reach a device that is not there."""
LONGEST_LINE = 1 << 20


class ControlClient(Protocol):
    """Receives what simulated devices say."""

    def notice(self, device: str, notice: Mapping[str, Any]) -> None:
        """Something visible happened at a device."""

    def answered(self, device: str, answer: Mapping[str, Any]) -> None:
        """A device answered the oldest request that it has not answered yet."""

    def lost(self, device: str) -> None:
        """The connection to a device ended; it answers none of its requests any more."""


class ControlLinks:
    """One connection to each device. `controls`: control sockets by kind of device."""

    def __init__(self, controls: Mapping[str, Path], client: ControlClient) -> None:
        self._controls = controls
        self._client = client
        self._writers: dict[str, asyncio.StreamWriter] = {}

    async def run(self) -> None:
        """Keeps all devices connected until cancelled."""
        watchers = [asyncio.create_task(self._watch(device)) for device in self._controls]
        try:
            await asyncio.gather(*watchers)
        finally:
            for watcher in watchers:
                watcher.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)

    def send(self, device: str, request: Mapping[str, Any]) -> bool:
        """Sends a request. Returns whether the device is connected."""
        writer = self._writers.get(device)
        if writer is None:
            return False
        writer.write(json.dumps(request).encode() + b"\n")
        return True

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
                await self._read(device, reader)
            except ConnectionError:
                pass
            finally:
                writer.close()
                self._writers.pop(device, None)
                self._client.lost(device)

    async def _read(self, device: str, reader: asyncio.StreamReader) -> None:
        async for line in reader:
            record = json.loads(line)
            if "notice" in record:
                self._client.notice(device, record)
            else:
                self._client.answered(device, record)
