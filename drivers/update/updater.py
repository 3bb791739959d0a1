"""Runs the course of an update on a real port, one session after another, and journals each step before it
is sent."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from drivers.devices.device import DeviceSettings
from drivers.errors import DriverError, Refused
from drivers.link.commands import CommandKeys
from drivers.link.counters import Counters
from drivers.link.facts import Bookmark, Expected
from drivers.link.host import HostLink
from drivers.link.limits import Timing
from drivers.link.reports import DeviceRefused, Down, LinkEvent
from drivers.link.shell import Shell
from drivers.messages import CommandBody
from drivers.ports.names import line_rate
from drivers.ports.opening import open_port
from drivers.ports.transport import Transport
from drivers.update.course import UpdateCourse, UpdateEnd

UpdateEvent = LinkEvent | UpdateEnd


class UpdateJournal(Protocol):
    """The journal of an update. What a method took is on disk when it returns."""

    def bookmark(self) -> Bookmark:
        """What the next session has to know."""

    def record_event(self, event: LinkEvent) -> int | None:
        """Journals an event. Returns the number up to which all events are on disk, if that is new."""

    def record_action(self, key: int, record: CommandBody) -> None:
        """Journals an action before it goes out."""


class UpdateAttempt:
    """One session of an update: a LinkMachine around a link that stays unarmed. Emits the link's events
    and the update's end."""

    def __init__(
        self, link: HostLink, keys: CommandKeys, course: UpdateCourse, journal: UpdateJournal
    ) -> None:
        self._link, self._keys, self._course, self._journal = link, keys, course, journal

    @property
    def phase(self) -> str:
        return self._link.phase

    @property
    def counters(self) -> Counters:
        return self._link.counters

    def feed(self, data: bytes, now: float) -> list[UpdateEvent]:
        return self._handle(self._link.feed(data, now), now)

    def tick(self, now: float) -> list[UpdateEvent]:
        self._course.tick(now)
        return self._handle(self._link.tick(now), now)

    def take(self, now: float) -> bytes:
        return self._link.take(now)

    def deadline(self, now: float) -> float:
        return min(self._link.deadline(now), self._course.deadline)

    def close(self, now: float) -> None:
        self._link.close(now)

    def _handle(self, events: list[LinkEvent], now: float) -> list[UpdateEvent]:
        for event in events:
            stored = self._journal.record_event(event)
            if stored is not None:
                self._link.commit(stored)
            self._course.handle(event, now)
        self._act(now)
        return [*events, self._course.ended] if self._course.ended else [*events]

    def _act(self, now: float) -> None:
        record = self._course.due(now)
        if record is not None:
            key = self._keys.next()
            self._course.action_sent(key, record)
            self._journal.record_action(key, record)
            self._link.act(key, record)


RETRY_INTERVAL = 1.0
"""Seconds from a lost session to the next attempt."""


class _SessionOverError(Exception):
    """The session, or the whole update, is over."""


@dataclass(frozen=True, slots=True)
class Updater:
    """Updates one device. `image` is what it may ask for; it is empty if nothing is to be sent. `on_progress`
    is called after each event, with a line for the user or with an empty string."""

    device: Expected
    settings: DeviceSettings
    course: UpdateCourse
    image: bytes
    journal: UpdateJournal
    clock: Callable[[], float]
    on_progress: Callable[[str], None]
    open_transport: Callable[[str, int], Awaitable[Transport]] = open_port

    async def run(self) -> UpdateEnd:
        """Runs sessions until the update ends. Errors of the journal pass through."""
        keys = CommandKeys()
        while True:
            try:
                await self._converse(keys)
            except Refused as error:
                return UpdateEnd("failed", str(error))
            except DriverError as error:
                self.on_progress(str(error))
            self.course.tick(self.clock())
            if self.course.ended:
                return self.course.ended
            await asyncio.sleep(RETRY_INTERVAL)

    async def _converse(self, keys: CommandKeys) -> None:
        transport = await self.open_transport(self.settings.port, self.settings.baud)
        try:
            await Shell(transport, self._attempt(keys), self._handle, self.clock).run()
        except _SessionOverError:
            return
        finally:
            await transport.close()

    def _attempt(self, keys: CommandKeys) -> UpdateAttempt:
        bookmark = self.journal.bookmark()
        keys.skip_to(bookmark.last_key)
        link = HostLink(
            self.device,
            bookmark,
            secrets.token_bytes,
            self.clock(),
            lambda: True,
            key=self.settings.key,
            keys=keys,
            image=self.image,
            timing=Timing(baud=line_rate(self.settings.port, self.settings.baud)),
        )
        return UpdateAttempt(link, keys, self.course, self.journal)

    def _handle(self, event: UpdateEvent) -> None:
        self.on_progress(event.text if isinstance(event, Down) else "")
        if isinstance(event, UpdateEnd | Down | DeviceRefused):
            raise _SessionOverError
