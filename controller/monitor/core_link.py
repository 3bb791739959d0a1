"""The web server's connection to the table's core: the view, the state of the computer, and what is shown
while no table plays.

The core pushes the view. Pages that follow the table must also notice a core that hangs, so the link asks it
for a sign of life each second while anybody follows.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import HTTPException
from starlette.types import ASGIApp

from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.outage import page
from controller.monitor.outage.outage import ABSENT, LastAmounts, Outage, cause_of
from controller.socket.client import CallRefused, CoreAway, CoreClient
from controller.table.record.codec import from_json
from controller.table.record.views import TableView
from controller.telemetry.host import HostStatus

PING_INTERVAL = 1.0
PING_LIMIT = 2.0
"""Seconds between two signs of life, and seconds after which a core counts as absent."""


class CoreLink:
    """Follows the core while the context of `client` is entered. `table`, `game`: shown without a core;
    `amounts` reads the jackpots from the disk, in a thread; `wall`: Unix time."""

    def __init__(
        self,
        path: Path,
        changes: ChangeNotifier,
        table: str,
        game: str,
        amounts: Callable[[], LastAmounts] = LastAmounts,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.client = CoreClient(
            path, "web", ("view", "status"), on_change=self._on_change, on_push=self._on_push
        )
        self._changes, self._table, self._game, self._wall = changes, table, game, wall
        self._read_amounts = amounts
        self._machine = HostStatus()
        self._hangs = False
        self._amounts = LastAmounts()
        self._back = asyncio.Event()
        self._since = wall()
        self._shown: Outage | None = None
        self._application: ASGIApp | None = None
        self._update()

    @property
    def playing(self) -> bool:
        """Whether there is a view of a table that plays."""
        return self._shown is None

    def view(self) -> TableView:
        """The table as it is now. Raises HTTPException 503 while no table plays."""
        if self._shown:
            raise HTTPException(503, self._shown.cause.title)
        return self.client.replica.view()

    def machine(self) -> HostStatus:
        """The state of the computer and of the daemon, with the pages that follow the table."""
        return replace(self._machine, followers=self._changes.followers)

    def outage(self) -> ASGIApp | None:
        """What answers while no table plays; None while one does."""
        return self._application

    async def run(self) -> None:
        """Watch the core until cancelled."""
        while True:
            if self.client.connected and (self._changes.followers or self._hangs):
                self._set_hanging(hangs=not await self._answers())
            if self._shown and self._amounts != (amounts := await asyncio.to_thread(self._read_amounts)):
                self._amounts = amounts
                self._update()
            await asyncio.sleep(PING_INTERVAL)

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(PING_LIMIT):
                await self.client.health()
        except (TimeoutError, CoreAway):
            return False
        except CallRefused:
            return True
        return True

    def _set_hanging(self, *, hangs: bool) -> None:
        if hangs != self._hangs:
            self._hangs = hangs
            self._on_change()

    def _on_push(self, topic: str, params: Mapping[str, Any]) -> None:
        if topic == "status":
            self._machine = from_json(HostStatus, params["machine"])
            self._changes.notify()

    def _on_change(self) -> None:
        self._hangs = self._hangs and self.client.connected
        self._update()
        self._changes.notify()

    def _update(self) -> None:
        """Show the outage that there is now, and end the one that is over."""
        outage = self._outage()
        if outage == self._shown:
            return
        self._shown = outage
        self._back.set()
        self._back = asyncio.Event()
        self._application = page.application(outage, self.client.metrics, self._back) if outage else None

    def _outage(self) -> Outage | None:
        hello = self.client.hello
        halted = hello.halted if hello else None
        if halted is None and self.client.replica.current and not self._hangs:
            return None
        if self._shown is None:
            self._since = self._wall()
        return Outage(
            "halted" if halted else "absent",
            self._table,
            self._game,
            version("tableside"),
            halted.since if halted else self._since,
            cause_of(halted) if halted else ABSENT,
            self._amounts.meters,
            halted.restarts_at if halted else None,
            self._amounts.money.code,
            self._amounts.money.digits,
        )
