"""The log of a shoe that keeps none. Its events get the numbers that follow those of the journal.

The reasons are in docs/decisions/0018.
"""

import secrets
from typing import Final

from drivers.link.facts import Bookmark, DeviceFacts
from drivers.link.intake import KNOWN, NEW_LOG
from drivers.link.reports import DeviceEvent, DeviceUp, EventsMissing
from drivers.messages import EventBody
from drivers.protocol.codes import DeviceClass

MARK: Final = 4
"""How many bytes at the beginning of a log's name identify the make of the shoe."""
NAME: Final = 8


class AdapterLog:
    """The log of one device. It is ahead of the journal by what was delivered and not yet journaled.

    `mark`: MARK bytes that no other make has.
    """

    def __init__(self, device: str, serial: str, make: str, mark: bytes) -> None:
        self._device, self._serial, self._make, self._mark = device, serial, make, mark
        self._name = self._boot = b""
        self._began = 0.0
        self.newest = 0
        self.cards = 0
        """How many cards left in this log, as far as is known."""

    def begin(self, bookmark: Bookmark, now: float) -> DeviceUp:
        """Begins a session. The journal's log goes on if it is of this make. Otherwise a new log begins."""
        known = bookmark.log[:MARK] == self._mark
        if known:
            self._follow(bookmark)
        else:
            self._name = self._mark + secrets.token_bytes(NAME - MARK)
            self.newest = self.cards = 0
        self._boot, self._began = secrets.token_bytes(8), now
        return DeviceUp(self._device, self._facts(bookmark.last_key), KNOWN if known else NEW_LOG)

    def event(self, body: EventBody, now: float) -> DeviceEvent:
        """Makes the next event."""
        self.newest += 1
        uptime_us = int((now - self._began) * 1e6)
        return DeviceEvent(self._device, self._name, self.newest, uptime_us, self._boot, body, history=False)

    def missing(self) -> EventsMissing:
        """Uses up a number that never comes, for what may have happened unseen."""
        self.newest += 1
        return EventsMissing(self._device, self._name, self.newest, self.newest)

    def _follow(self, bookmark: Bookmark) -> None:
        if bookmark.log != self._name:
            self._name, self.newest, self.cards = bookmark.log, bookmark.newest, bookmark.cards
        self.newest, self.cards = max(self.newest, bookmark.newest), max(self.cards, bookmark.cards)

    def _facts(self, last_key: int) -> DeviceFacts:
        return DeviceFacts(
            device_class=DeviceClass.SHOE,
            serial=self._serial,
            hardware=self._make,
            firmware="",
            boot=self._boot,
            reset=0,
            log=self._name,
            oldest=self.newest + 1,
            newest=self.newest,
            committed=self.newest,
            last_key=last_key,
            cards=self.cards,
            insecure=True,
        )
