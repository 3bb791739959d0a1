"""Pushes the signed status of the table to the uplink: after a change, at most each GAP, and each BEAT even
if nothing has changed, so that the floor knows that the table is there."""

import asyncio
from collections.abc import Callable, Iterable
from math import inf
from typing import Final

import structlog

from controller.process.traces import fault_location
from controller.property.status import TableStatus
from controller.socket.client_link import ClientLink
from controller.socket.core import StatusSource
from controller.socket.encoding import push_line

TOPIC: Final = "table_status"
GAP: Final = 0.5
BEAT: Final = 5.0
"""Seconds between two statuses, at least and at most."""


class StatusSender:
    """`links`: the clients. `clock`: a monotonic clock in seconds. Without a subscriber it does nothing."""

    def __init__(self, source: StatusSource, links: Iterable[ClientLink], clock: Callable[[], float]) -> None:
        self._source, self._links, self._clock = source, links, clock
        self._timer: asyncio.TimerHandle | None = None
        self._due = inf
        self._looked, self._sent = -inf, -inf
        self._last: TableStatus | None = None
        self._failing = False
        self._log = structlog.get_logger("tableside.socket")

    def notify(self) -> None:
        """Something may look different, or a client has subscribed."""
        if any(TOPIC in link.topics for link in self._links):
            self._look_at(self._looked + GAP)

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer, self._due = None, inf

    def _look_at(self, due: float) -> None:
        """Look then, unless it looks earlier."""
        if due < self._due:
            self.close()
            self._due = due
            self._timer = asyncio.get_running_loop().call_later(max(0.0, due - self._clock()), self._look)

    def _look(self) -> None:
        self._timer, self._due, self._looked = None, inf, self._clock()
        links = [link for link in self._links if TOPIC in link.topics]
        if not links:
            self._last = None
            return
        try:
            self._send([link for link in links if link.keeps_up])
        except Exception as error:  # noqa: BLE001 - no floor may halt the table
            if not self._failing:
                self._log.error("no status", why=fault_location(error))
            self._failing = True
        else:
            self._failing = False
        self._look_at(max(self._sent, self._looked - BEAT + GAP) + BEAT)

    def _send(self, links: list[ClientLink]) -> None:
        """A status that says nothing new goes to those who have none yet, and to all others after BEAT."""
        status = self._source.status()
        if status is None or not links:
            return
        is_due = self._looked - self._sent >= BEAT or not _same(status, self._last)
        waiting = links if is_due else [link for link in links if TOPIC not in link.last]
        if not waiting:
            return
        line = push_line(TOPIC, self._source.signed(status).fields())
        for link in waiting:
            link.last[TOPIC] = line
            link.push([line])
        if is_due:
            self._last, self._sent = status, self._looked


def _same(status: TableStatus, other: TableStatus | None) -> bool:
    """Whether both say the same but for the time."""
    return other is not None and status == other.model_copy(update={"at": status.at})
