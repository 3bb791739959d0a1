"""A journal on a slow disk, which loses what is not yet on disk when the host dies. Its rows are compared
with what really happened in the device."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from drivers.link.codec import event_message
from drivers.link.facts import Bookmark
from drivers.link.intake import CARDS
from drivers.link.reports import ActionEnded, DeviceEvent, DeviceUp, EventsMissing, LinkEvent
from drivers.messages import CommandBody
from drivers.protocol.codes import Status
from tests.drivers.link.hostile.hardware import Hardware

NOT_DONE = {Status.NEVER, Status.UNARMED, Status.REFUSED}


@dataclass
class Journal:
    """What is on disk, except `waiting`."""

    device: Hardware
    log: bytes = b""
    newest: int = 0
    cards: int = 0
    last_key: int = 0
    permit: int = 0
    open_actions: dict[int, CommandBody] = field(default_factory=dict)
    ended: int = 0
    lost: int = 0
    waiting: deque[tuple[float, LinkEvent]] = field(default_factory=deque)

    def bookmark(self) -> Bookmark:
        """What a new session starts from."""
        return Bookmark(self.log, self.newest, self.last_key, self.cards, tuple(sorted(self.open_actions)))

    def write(self, event: LinkEvent, due: float) -> None:
        """On disk by then, unless the host dies before."""
        if isinstance(event, DeviceEvent | EventsMissing | ActionEnded | DeviceUp):
            self.waiting.append((due, event))

    def due(self) -> float:
        """When the disk finishes the next write."""
        return self.waiting[0][0] if self.waiting else float("inf")

    def flush(self, now: float, commit: Callable[[int], None]) -> None:
        """Finishes the writes that are due."""
        while self.waiting and self.waiting[0][0] <= now:
            event = self.waiting.popleft()[1]
            _WRITES[type(event)](self, event)
            if isinstance(event, DeviceEvent | EventsMissing):
                commit(self.newest)

    def _met(self, up: DeviceUp) -> None:
        assert up.relation == ("known" if self.log else "new log")
        self.log = up.facts.log

    def _event(self, event: DeviceEvent) -> None:
        assert event.log == self.log
        assert event.number == self.newest + 1, f"event {event.number} came after {self.newest}"
        assert not isinstance(event.body, bytes)
        stored, kept = self.device.memory.stored.pop(event.number)
        message = event_message(event.number, event.uptime_us, event.boot, event.body)
        assert kept
        assert message.SerializeToString() == stored, f"event {event.number} is not what the device stored"
        self.newest = event.number
        if isinstance(event.body, CARDS):
            assert event.body.count == self.cards + 1, f"card {event.body.count} came after {self.cards}"
            self.cards = event.body.count

    def _lost(self, event: EventsMissing) -> None:
        assert event.first == self.newest + 1
        kept = [self.device.memory.stored.pop(number)[1] for number in range(event.first, event.last + 1)]
        assert not any(kept), "an event that the device holds was told as lost"
        self.lost += len(kept)
        self.newest = event.last

    def _ended(self, event: ActionEnded) -> None:
        record = self.open_actions.pop(event.key)
        done = record in self.device.executed
        assert event.status is not Status.FORGOTTEN
        assert event.status is not Status.DONE or done, f"{record} is said to be done and never was"
        assert event.status not in NOT_DONE or not done, f"{record} is said to be {event.status} and was done"
        self.ended += 1


_WRITES: dict[type, Callable[[Journal, Any], None]] = {
    DeviceUp: Journal._met,
    DeviceEvent: Journal._event,
    EventsMissing: Journal._lost,
    ActionEnded: Journal._ended,
}
