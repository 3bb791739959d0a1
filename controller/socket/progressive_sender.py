"""Pushes to the uplink what the table has to tell the linked progressives: at once when something is new, and
again as often as each message wants until it is answered."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, cast

import structlog

from controller.process.traces import fault_location
from controller.socket.client_link import ClientLink
from controller.socket.core import ProgressiveSource
from controller.socket.encoding import push_line

TOPIC: Final = "progressive"
GAP: Final = 0.1
BEAT: Final = 1.0
"""Seconds between two looks, at least and at most."""


class ProgressiveSender:
    """`links`: the clients. `clock`: a monotonic clock in seconds. Without a subscriber it does nothing."""

    def __init__(
        self, source: ProgressiveSource, links: Iterable[ClientLink], clock: Callable[[], float]
    ) -> None:
        self._source, self._links, self._clock = source, links, clock
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._looked = -GAP
        self._failing = False
        self._log = structlog.get_logger("tableside.socket")

    def notify(self) -> None:
        """Something may be new, or a client has subscribed."""
        if self._subscribers():
            self._look_at(self._looked + GAP)

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None

    def _subscribers(self) -> list[ClientLink]:
        return [link for link in self._links if TOPIC in link.topics]

    def _look_at(self, due: float) -> None:
        """Look then, unless it looks earlier."""
        if self._timer is None or due < self._due:
            self.close()
            self._due = due
            self._timer = asyncio.get_running_loop().call_later(max(0.0, due - self._clock()), self._look)

    def _look(self) -> None:
        self._timer, self._looked = None, self._clock()
        links = self._subscribers()
        if not links:
            return
        try:
            for link in links:
                if link.keeps_up:
                    self._send(link)
        except Exception as error:  # noqa: BLE001 - no progressive may halt the table
            if not self._failing:
                self._log.error("nothing sent to the progressive", why=fault_location(error))
            self._failing = True
        else:
            self._failing = False
        self._look_at(self._looked + BEAT)

    def _send(self, link: ClientLink) -> None:
        """What the client has not had, or had too long ago."""
        before = cast("dict[str, tuple[bytes, float]]", link.last.get(TOPIC, {}))
        now = dict[str, tuple[bytes, float]]()
        lines = list[bytes]()
        for message in self._source.outgoing():
            payload, sent = before.get(message.name, (b"", 0.0))
            if payload == message.payload and self._looked - sent < message.every:
                now[message.name] = payload, sent
                continue
            now[message.name] = message.payload, self._looked
            lines.append(push_line(TOPIC, {"name": message.name, **self._source.signed(message).fields()}))
        link.last[TOPIC] = now
        link.push(lines)
