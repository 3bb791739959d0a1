"""The host's side of a device's log: which number is next, what is history, which cards it tells of."""

from drivers.errors import DeviceFault
from drivers.link.codec import Unreadable, event_body
from drivers.link.counters import Counters
from drivers.link.facts import Bookmark, CardsMissing, EventArrived, EventsLost, Facts
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl

CARDS = (CardDrawn, CardUnreadable, CardUnpermitted, CardInterrupted)
KNOWN, NEW_LOG, SERVED_ELSEWHERE = "known", "new log", "served elsewhere"


def relation(bookmark: Bookmark, facts: Facts) -> str:
    """How the device's log stands to the journal; section 8 of firmware-protocol/README.md."""
    if bookmark.log != facts.log:
        return NEW_LOG
    return SERVED_ELSEWHERE if facts.committed > bookmark.newest else KNOWN


class Intake:
    """Takes the events of one session, each once and in order."""

    def __init__(self, bookmark: Bookmark, facts: Facts, counters: Counters) -> None:
        self.relation = relation(bookmark, facts)
        self.committed = facts.committed if self.relation == NEW_LOG else bookmark.newest
        """Up to here our journal has them on disk."""
        self.next = self.committed + 1
        self._counters = counters
        self._log = facts.log
        self._cards = bookmark.cards if self.relation == KNOWN else facts.cards
        ends = {KNOWN: 0, NEW_LOG: facts.newest, SERVED_ELSEWHERE: facts.committed}
        self._history_ends = ends[self.relation]

    def event(self, message: tsl.Event, raw: bytes, *, critical: bool) -> EventArrived | None:
        """The event, None for a repeat. Raises DeviceFault when one is missing before it."""
        if not self._in_turn(message.number, message.number):
            return None
        body = event_body(message)
        if isinstance(body, Unreadable):
            self._counters.unread(unknown=body.unknown)
        if isinstance(body, CARDS):
            self._cards = body.count
        return EventArrived(
            log=self._log,
            number=message.number,
            uptime_us=message.uptime_us,
            boot=message.boot,
            name=message.WhichOneof("body") or "",
            body=raw if isinstance(body, Unreadable) else body,
            history=message.number <= self._history_ends,
            critical=critical and isinstance(body, Unreadable),
        )

    def lost(self, message: common.EventsLost) -> EventsLost | None:
        """Numbers that never come, counted from the next one on; None for a repeat."""
        first = self.next
        if not self._in_turn(message.first, message.last):
            return None
        return EventsLost(self._log, first, message.last)

    def commit(self, number: int) -> bool:
        """Note that all up to `number` are on disk; whether that is news."""
        news = number > self.committed
        self.committed = max(self.committed, number)
        return news

    def missing(self, newest: int, cards: int) -> CardsMissing | None:
        """Compare a heartbeat of the shoe with what its events tell; says so once."""
        if not newest <= self.committed == self.next - 1 or cards <= self._cards:
            return None
        ours, self._cards = self._cards, cards
        return CardsMissing(cards, ours)

    def _in_turn(self, first: int, last: int) -> bool:
        if first > self.next:
            raise DeviceFault("gap", f"event {first} came where {self.next} was due")
        if last < self.next:
            self._counters.repeats += 1
            return False
        self.next = last + 1
        return True
