"""An update on a real port: one session after another until its course ends."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from drivers.device import DeviceSettings
from drivers.errors import DriverError, Refused
from drivers.link.facts import Down, Expected, RefusedDevice
from drivers.link.host import HostLink
from drivers.link.keys import Keys
from drivers.link.shell import Shell
from drivers.link.timing import Timing
from drivers.protocol.codes import DeviceClass
from drivers.transport import Transport, open_port
from drivers.update.attempt import Attempt, Book, News
from drivers.update.course import Course, Ending

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
