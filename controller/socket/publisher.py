"""Pushes to subscribers what has changed: the view, the head of the journal, the state of the computer.

`notify` costs the table nothing but a flag. At most PUSHES times a second the publisher builds the view once
and sends each subscriber what differs from the view that it has. A subscriber that does not keep up gets its
next difference when it has read the last one; it misses states in between, never the last one.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import structlog

from controller.process.traces import fault_location
from controller.socket import view_stream
from controller.socket.client_link import ClientLink
from controller.socket.core import Core
from controller.socket.encoding import push_line
from controller.socket.params import Topic
from controller.socket.progressive_sender import ProgressiveSender
from controller.socket.status_sender import StatusSender
from controller.table.record.views import TableView

GAP: Final = 0.02
"""Least seconds between two pushes."""
BEAT: Final = 5.0
"""Seconds between two looks at what changes without the table."""


@dataclass(frozen=True, slots=True)
class Status:
    """The topic `status`. `machine` is a HostStatus."""

    suspended: bool
    halted: str
    accounts_fault: str
    machine: object


class Publisher:
    """`links`: the clients. `clock`: a monotonic clock in seconds."""

    def __init__(self, core: Core, links: Iterable[ClientLink], clock: Callable[[], float]) -> None:
        self._core, self._links, self._clock = core, links, clock
        self._number = 0
        self._view: TableView | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._pushed = -GAP
        self._failing: set[Topic] = set()
        self._log = structlog.get_logger("tableside.socket")
        self._senders: tuple[StatusSender | ProgressiveSender, ...] = (
            *((StatusSender(core.floor, links, clock),) if core.floor else ()),
            *((ProgressiveSender(core.progressive, links, clock),) if core.progressive else ()),
        )
        self.seconds = 0.0
        """Time that pushes have taken so far."""

    def notify(self) -> None:
        """Something may look different."""
        for sender in self._senders:
            sender.notify()
        if self._timer is None and any(link.topics for link in self._links):
            wait = max(0.0, self._pushed + GAP - self._clock())
            self._timer = asyncio.get_running_loop().call_later(wait, self._push)

    def close(self) -> None:
        for sender in self._senders:
            sender.close()
        for timer in (self._timer, self._beat):
            if timer:
                timer.cancel()
        self._timer = self._beat = None

    def _push(self) -> None:
        self._timer, begun = None, self._clock()
        waiting = [link for link in self._links if link.topics and link.keeps_up]
        self._attempt("view", waiting, self._push_views)
        self._attempt("head", waiting, lambda links: _push_value("head", links, self._core.head()))
        self._attempt("status", waiting, lambda links: _push_value("status", links, self._status()))
        self._pushed = self._clock()
        self.seconds += self._pushed - begun
        if self._beat is None:
            self._beat = asyncio.get_running_loop().call_later(BEAT, self._look)

    def _look(self) -> None:
        self._beat = None
        self.notify()

    def _attempt(
        self, topic: Topic, waiting: Iterable[ClientLink], push: Callable[[list[ClientLink]], None]
    ) -> None:
        """Push to the subscribers of a topic. A topic that fails holds up no other one, and is logged once,
        without values: they might reveal a face-down card."""
        links = [link for link in waiting if topic in link.topics]
        if not links:
            return
        try:
            push(links)
        except Exception as error:  # noqa: BLE001 - no subscriber may halt the table
            if topic not in self._failing:
                self._log.error("push failed", topic=topic, why=fault_location(error))
            self._failing.add(topic)
        else:
            self._failing.discard(topic)

    def _push_views(self, links: list[ClientLink]) -> None:
        view = self._core.view()
        if view is None:
            return
        if view != self._view:
            self._view, self._number = view, self._number + 1
        now, made = self._view, dict[int, list[bytes]]()
        for link in links:
            if link.sent is now or now is None:
                continue
            if id(link.sent) not in made:
                made[id(link.sent)] = view_stream.lines(self._number, link.sent, now)
            link.push(made[id(link.sent)])
        for link in links:
            link.sent = now

    def _status(self) -> Status:
        core = self._core
        suspended = bool(core.table and core.table.state.suspension)
        halted = core.halted.why if core.halted else ""
        return Status(suspended, halted, core.accounts_fault(), core.machine())


def _push_value(topic: Topic, links: Iterable[ClientLink], value: object) -> None:
    line = push_line(topic, value)
    for link in links:
        if link.last.get(topic) != value:
            link.last[topic] = value
            link.push([line])
