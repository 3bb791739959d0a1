"""One session of an update: a link that stays unarmed, driven by the course, on disk before it is said."""

from typing import Protocol

from drivers.link.counters import Counters
from drivers.link.facts import Bookmark, HostEvent
from drivers.link.host import HostLink
from drivers.link.keys import Keys
from drivers.messages import CommandBody
from drivers.update.course import Course, Ending

News = HostEvent | Ending


class Book(Protocol):
    """Where it is kept what a device told and what it was asked for. What returned is on disk."""

    def bookmark(self) -> Bookmark:
        """What the next session has to know."""

    def told(self, event: HostEvent) -> int | None:
        """Something was told; the number of the event up to which all are kept, if that is news."""

    def order(self, key: int, record: CommandBody) -> None:
        """An action is about to go out."""


class Attempt:
    """A Talk for a shell, or for a wire in virtual time. Tells what the link tells, and the course's end."""

    def __init__(self, link: HostLink, keys: Keys, course: Course, book: Book) -> None:
        self._link, self._keys, self._course, self._book = link, keys, course, book

    @property
    def phase(self) -> str:
        """Where the link is."""
        return self._link.phase

    @property
    def counters(self) -> Counters:
        """What the link counted."""
        return self._link.counters

    def feed(self, data: bytes, now: float) -> list[News]:
        """Bytes that came."""
        return self._heed(self._link.feed(data, now), now)

    def tick(self, now: float) -> list[News]:
        """Lets time-outs happen."""
        self._course.tick(now)
        return self._heed(self._link.tick(now), now)

    def take(self, now: float) -> bytes:
        """All that is to be written now."""
        return self._link.take(now)

    def deadline(self, now: float) -> float:
        """When tick and take must run at the latest."""
        return min(self._link.deadline(now), self._course.deadline)

    def close(self, now: float) -> None:
        """Say goodbye; what take() still gives is to be written."""
        self._link.close(now)

    def _heed(self, events: list[HostEvent], now: float) -> list[News]:
        for event in events:
            kept = self._book.told(event)
            if kept is not None:
                self._link.commit(kept)
            self._course.heed(event, now)
        self._act(now)
        return [*events, self._course.ended] if self._course.ended else [*events]

    def _act(self, now: float) -> None:
        record = self._course.due(now)
        if record is not None:
            key = self._keys.next()
            self._course.asked(key, record)
            self._book.order(key, record)
            self._link.act(key, record)
