"""Reports to the picture which commands have no answer, and whether the floor can act."""

import asyncio
from collections.abc import Callable
from typing import Final

from controller.floor.approvals.acts import Answered, FloorActs
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture

INTERVAL: Final = 1.0
"""Seconds between two looks."""
FLOOR_LOG_CAUSE: Final = FloorCause("floor log")


class ActReports:
    """`clock`: seconds of Unix time."""

    def __init__(self, picture: FloorPicture, acts: FloorActs, clock: Callable[[], float]) -> None:
        self._picture, self._acts, self._clock = picture, acts, clock
        self._unanswered = frozenset[tuple[str, str]]()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self._acts.settle(self._answered)
            self.look()
            await asyncio.sleep(INTERVAL)

    def look(self) -> None:
        """Report what has begun, and the end of what is over."""
        now, waiting = self._clock(), self._acts.unanswered()
        for table, command in self._unanswered - waiting.keys():
            self._picture.report(FloorCause("no answer", table, command), "", now)
        for (table, command), text in waiting.items():
            self._picture.report(FloorCause("no answer", table, command), text, now)
        self._unanswered = frozenset(waiting)
        self._picture.report(FLOOR_LOG_CAUSE, self._acts.fault, now)

    def _answered(self, table: str) -> Answered:
        status = self._picture.status(table)
        return status.answered if status else ()
