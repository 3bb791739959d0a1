"""A commercial shoe, driven by a test in the place of the table."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from drivers.adapters.makes import ADAPTERS
from drivers.adapters.options import AdapterOptions
from drivers.adapters.shoe import AdapterShoe
from drivers.devices.device import DeviceSettings
from drivers.errors import DriverError
from drivers.link.facts import Bookmark
from drivers.link.reports import DeviceEvent, DeviceReport, DeviceUp, EventsMissing
from drivers.messages import CardDrawn, CardUnpermitted
from tests.contracts.bench import MemoryLine
from tests.drivers.adapters.bench import unit
from tests.fixtures.wires import Awake, until

ANGEL_EYE = "angel-eye-2ex"
BEE_TEK = "bee-tek"
Kind = TypeVar("Kind")


class ShoeHost:
    """A shoe, its simulated other end, and a journal that commits at once unless it is slow."""

    def __init__(self, make: str, folder: Path) -> None:
        self.line = MemoryLine(folder)
        self.clock = Awake()
        self.far = unit(make, self.clock())
        self.reports: list[DeviceReport] = []
        self.ended: list[DriverError] = []
        self.bookmark = Bookmark()
        self.slow = self.stuck = False
        self.shoe = self.another(make)

    def another(self, make: str) -> AdapterShoe:
        """As after a restart of the daemon."""
        self.shoe = ADAPTERS[make].shoe(
            AdapterOptions(),
            "shoe",
            DeviceSettings(self.line.port, "SHOE-1", 4800),
            lambda: self.bookmark,
            self._deliver,
            clock=self.clock,
            alive=lambda: not self.stuck,
            open_transport=self.line.open,
        )
        return self.shoe

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self._serve()), asyncio.create_task(self._converse())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def running(self) -> None:
        await until(lambda: self.shoe.state == "running")

    async def pull(self, **more: Any) -> None:
        """A hand draws a card; returns when it is reported."""
        before = len(self.reports)
        self.far.ask({"do": "pull", **more}, self.clock())
        await until(lambda: len(self.reports) > before)

    async def ask(self, do: str, **more: Any) -> None:
        """A hand does something; returns when it is reported."""
        before = len(self.reports)
        self.far.ask({"do": do, **more}, self.clock())
        await until(lambda: len(self.reports) > before)

    def reports_of(self, kind: type[Kind]) -> list[Kind]:
        return [report for report in self.reports if isinstance(report, kind)]

    def bodies(self) -> list[object]:
        return [event.body for event in self.reports_of(DeviceEvent)]

    async def unlocked(self) -> None:
        await until(lambda: any(notice.get("up_to") for notice in self.far.body.look()))

    def locked(self) -> bool:
        return not any(notice.get("up_to") for notice in self.far.body.look())

    def catch_up(self) -> None:
        """The slow journal commits everything."""
        self.slow = False
        self.shoe.commit(self.bookmark.newest)

    async def _serve(self) -> None:
        while True:
            now = self.clock()
            far = self.line.far
            if far is not None:
                self.far.receive(far.take(), now)
            self.far.tick(now)
            out = self.far.transmit(now)
            if out and far is not None:
                far.write(out)
            await asyncio.sleep(0.0005)

    async def _converse(self) -> None:
        while True:
            with suppress(DriverError):
                try:
                    await self.shoe.converse()
                except DriverError as error:
                    self.ended.append(error)
                    raise
            await asyncio.sleep(0.01)

    def _deliver(self, report: DeviceReport) -> None:
        self.reports.append(report)
        mark = self.bookmark
        match report:
            case DeviceUp(facts=facts) if facts.log != mark.log:
                self.bookmark = Bookmark(facts.log, facts.newest, 0, facts.cards)
            case DeviceEvent(number=number, body=CardDrawn(count) | CardUnpermitted(count)):
                self.bookmark = replace(mark, newest=number, cards=count)
            case DeviceEvent(number=number):
                self.bookmark = replace(mark, newest=number)
            case EventsMissing(last=last):
                self.bookmark = replace(mark, newest=last)
        if not self.slow:
            self.shoe.commit(self.bookmark.newest)
