"""How long rows take from their table's disk to the floor's."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Final

from controller.floor.day_file import FloorHead, JournalName
from controller.floor.store import FloorArchive
from controller.floor.store_file import StoreError

PAUSE: Final = 0.02
"""Seconds between two looks at the store: a lag is measured too long by as much, at most."""


@dataclass(frozen=True, slots=True)
class Lag:
    """Milliseconds; None for fewer than two samples."""

    p50: float | None
    p99: float | None


@dataclass(slots=True)
class LagWatch:
    """Watches the store as another program does. A sample is the last row of what was stored of a journal
    since the look before. The first rows of a journal are none: they wait for its admission."""

    store: FloorArchive
    samples: list[float] = field(default_factory=list)
    heads: Mapping[JournalName, FloorHead] = field(default_factory=dict)
    """Where each journal in the store ends."""

    async def run(self) -> None:
        """Until cancelled. A file that cannot be read yet, because the floor is making it, is tried again."""
        while True:
            for day in self.store.days()[-1:]:
                with suppress(StoreError), self.store.open(day) as file:
                    while self.store.days()[-1:] == [day]:
                        self._look(file.heads(), time.time())
                        await asyncio.sleep(PAUSE)
            await asyncio.sleep(PAUSE)

    def lag(self) -> Lag:
        if len(self.samples) < 2:
            return Lag(None, None)
        slow = quantiles(self.samples, n=100, method="inclusive")[98]
        return Lag(round(median(self.samples) * 1e3, 1), round(slow * 1e3, 1))

    def _look(self, heads: Mapping[JournalName, FloorHead], now: float) -> None:
        for name, head in heads.items():
            known = self.heads.get(name)
            if known and head.row > known.row:
                self.samples.append(now - head.at)
        self.heads = heads
