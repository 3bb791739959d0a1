"""One session of an update: a link that stays unarmed, driven by the course, on disk before it is said.

An update on a real port: one session after another until its course ends.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from drivers.devices.device import DeviceSettings
from drivers.errors import DriverError, Refused
from drivers.link.commands import Keys
from drivers.link.counters import Counters
from drivers.link.facts import Bookmark, Down, Expected, HostEvent, RefusedDevice
from drivers.link.host import HostLink
from drivers.link.limits import Timing
from drivers.link.shell import Shell
from drivers.messages import CommandBody
from drivers.ports.transport import Transport, open_port
from drivers.protocol.codes import DeviceClass
from drivers.update.progress import Course, Ending

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


AGAIN = 1.0
"""Seconds from a lost session to the next attempt."""


class _OverError(Exception):
    """The session, or the whole course, is over."""


@dataclass(frozen=True, slots=True)
class Updater:
    """`told` is called after everything that may have brought the course on, with a line of news or with
    nothing."""

    settings: DeviceSettings
    device_class: DeviceClass
    course: Course
    image: bytes
    book: Book
    clock: Callable[[], float]
    told: Callable[[str], None]
    open_transport: Callable[[str, int], Awaitable[Transport]] = open_port

    async def run(self) -> Ending:
        """Until the course ends; how. JournalErrors and the like of the book are passed on."""
        keys = Keys()
        while True:
            try:
                await self._converse(keys)
            except Refused as error:
                return Ending("failed", str(error))
            except DriverError as error:
                self.told(str(error))
            self.course.tick(self.clock())
            if self.course.ended:
                return self.course.ended
            await asyncio.sleep(AGAIN)

    async def _converse(self, keys: Keys) -> None:
        transport = await self.open_transport(self.settings.port, self.settings.baud)
        try:
            await Shell(transport, self._attempt(keys), self._heed, self.clock).run()
        except _OverError:
            return
        finally:
            await transport.close()

    def _attempt(self, keys: Keys) -> Attempt:
        bookmark = self.book.bookmark()
        keys.pass_over(bookmark.last_key)
        link = HostLink(
            Expected(self.device_class, self.settings.serial),
            bookmark,
            secrets.token_bytes,
            self.clock(),
            lambda: True,
            key=self.settings.key,
            keys=keys,
            image=self.image,
            timing=Timing(baud=self.settings.baud),
        )
        return Attempt(link, keys, self.course, self.book)

    def _heed(self, news: News) -> None:
        self.told(news.text if isinstance(news, Down) else "")
        if isinstance(news, Ending | Down | RefusedDevice):
            raise _OverError
