"""The host's side of a device's log: which number is next, what is history, which cards it reports."""

from collections.abc import Iterator

from drivers.errors import DeviceFault
from drivers.link.codec import Unreadable, event_body
from drivers.link.counters import Counters
from drivers.link.facts import Bookmark, DeviceFacts
from drivers.link.limits import HIGHEST, STEP
from drivers.link.reports import CardsMissing, DeviceEvent, EventsMissing
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl

CARDS = (CardDrawn, CardUnreadable, CardUnpermitted, CardInterrupted)
COUNTS = ("committed", "newest", "cards")
"""The numbers that each heartbeat repeats. None of them ever decreases."""
KNOWN = "known"
NEW_LOG = "new log"
SERVED_ELSEWHERE = "served elsewhere"


def relation(bookmark: Bookmark, facts: DeviceFacts) -> str:
    """Compares the device's log with the journal (section 8 of firmware-protocol/README.md)."""
    if bookmark.log != facts.log:
        return NEW_LOG
    return SERVED_ELSEWHERE if facts.committed > bookmark.newest else KNOWN


class Intake:
    """Accepts the events of one session, each once and in order.

    Impossible numbers from a device must not move the journal (section 8.1). A number is accepted only if a
    Hello, a heartbeat or an event of the device has shown that it exists. If EventsLost reaches above that,
    the known part is lost at once, and the rest when a heartbeat or the event after it confirms the claim.
    """

    def __init__(self, device: str, bookmark: Bookmark, facts: DeviceFacts, counters: Counters) -> None:
        self._device = device
        self.relation = relation(bookmark, facts)
        self.committed = facts.committed if self.relation == NEW_LOG else bookmark.newest
        """The journal has all events up to this one on disk."""
        self.next = self.committed + 1
        self._counters = counters
        self._log = facts.log
        self._cards = bookmark.cards if self.relation == KNOWN else facts.cards
        ends = {KNOWN: 0, NEW_LOG: facts.newest, SERVED_ELSEWHERE: facts.committed}
        self._history_ends = ends[self.relation]
        self._counts = {name: getattr(facts, name) for name in COUNTS}
        """The device's latest counts; "newest" includes its events."""
        self._limit = min(facts.newest + STEP, HIGHEST)
        self._claimed = 0
        """The last number that is lost if a claim is confirmed. 0 if there is no claim."""

    def event(
        self, message: tsl.Event, raw: bytes, *, critical: bool, readable: bool = True
    ) -> Iterator[EventsMissing | DeviceEvent]:
        """Yields the event, after a loss that it confirms. Yields nothing for a repeat. Of an event that is
        not `readable` only the number counts, and its bytes are kept. Raises DeviceFault if an event before
        it is missing."""
        if message.number - 1 == self._claimed:
            yield from self._confirm(self._claimed)
        if self._repeated(message.number):
            return
        if not message.number == self._due <= self._limit:
            raise DeviceFault("gap", f"event {message.number} came, but {self._due} was due")
        body = event_body(message)
        if isinstance(body, CARDS):
            self._count(body.count, message.number)
        if isinstance(body, Unreadable) and readable:
            self._counters.count_unreadable(unknown=body.unknown)
        self.next = message.number + 1
        self._counts["newest"] = max(self._counts["newest"], message.number)
        yield DeviceEvent(
            device=self._device,
            log=self._log,
            number=message.number,
            uptime_us=message.uptime_us,
            boot=message.boot,
            body=raw if isinstance(body, Unreadable) else body,
            history=message.number <= self._history_ends,
            critical=critical and isinstance(body, Unreadable),
        )

    def lost(self, message: common.EventsLost) -> Iterator[EventsMissing]:
        """Yields the numbers that never arrive, from the next one on, as far as they are known to exist.
        Raises DeviceFault if an event before them is missing."""
        if not 1 <= message.first <= message.last or message.first > self._due:
            claim = f"it says that events {message.first} to {message.last} are lost"
            raise DeviceFault("gap", f"{claim}, but {self._due} was due")
        if self._repeated(message.last):
            return
        if message.last > self._counts["newest"]:
            self._claimed = max(self._claimed, message.last)
        yield from self._missed(min(message.last, self._counts["newest"]))

    def heartbeat(self, heartbeat: common.Heartbeat) -> Iterator[EventsMissing]:
        """Takes the device's counts and yields the loss that they confirm. Raises DeviceFault for counts
        that decrease or contradict each other."""
        counts = {name: getattr(heartbeat, name) for name in COUNTS}
        for name, before in self._counts.items():
            if counts[name] < before:
                raise DeviceFault("gap", f"its heartbeat says {name} {counts[name]}, after {before}")
        if contradiction := self._contradiction(heartbeat):
            raise DeviceFault("gap", f"its heartbeat says {contradiction}")
        self._counts = counts
        yield from self._confirm(heartbeat.newest)

    def commit(self, number: int) -> bool:
        """Notes that all events up to `number` are on disk. Returns whether that is new."""
        is_new = number > self.committed
        self.committed = max(self.committed, number)
        return is_new

    def missing(self, newest: int, cards: int) -> CardsMissing | None:
        """Compares a heartbeat of the shoe with its events. Reports a difference once."""
        if not newest <= self.committed == self.next - 1 or cards <= self._cards:
            return None
        ours, self._cards = self._cards, cards
        return CardsMissing(self._device, cards, ours)

    @property
    def _due(self) -> int:
        """The number that the next event must have."""
        return max(self.next, self._claimed + 1)

    def _repeated(self, number: int) -> bool:
        repeated = number < self.next
        self._counters.repeats += repeated
        return repeated

    def _confirm(self, newest: int) -> Iterator[EventsMissing]:
        """Takes a proof that the events up to `newest` exist."""
        if 0 < self._claimed <= newest:
            claimed, self._claimed = self._claimed, 0
            yield from self._missed(claimed)

    def _count(self, cards: int, number: int) -> None:
        if not 1 <= cards < number:
            raise DeviceFault(
                "gap", f"event {number} counts {cards} cards: each card is an event, as is Booted"
            )
        self._cards = cards

    def _missed(self, last: int) -> Iterator[EventsMissing]:
        first, self.next = self.next, max(self.next, last + 1)
        if first <= last:
            yield EventsMissing(self._device, self._log, first, last)

    def _contradiction(self, heartbeat: common.Heartbeat) -> str:
        committed, newest, cards = heartbeat.committed, heartbeat.newest, heartbeat.cards
        if committed > newest:
            return f"committed {committed}, newest {newest}"
        if newest > self._limit:
            return f"newest {newest}, where at most {self._limit} is possible"
        if cards >= newest:
            return f"cards {cards}, newest {newest}: each card is an event"
        return f"newest {newest}, after {self._claimed} was lost" if newest < self._claimed else ""
