"""Announces the amount: signed, at each change, and every second."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

import nats.errors
from nats.aio.client import Client

from controller.jackpot.linked.announcer import Announcer
from controller.jackpot.linked.entries import LogEntry
from controller.jackpot.linked.level import LinkedLevel
from controller.journal.signing import Signer
from controller.property.signed import SignedMessage

EVERY: Final = 1.0
"""Seconds between two amounts of a level that does not change."""


class Broadcaster:
    """Announces under each of `subjects`: a signature covers the subject. It repeats the last amount while
    `repeating`."""

    def __init__(self, client: Client, subjects: Sequence[str], signer: Signer) -> None:
        self._client, self._subjects, self._signer = client, subjects, signer
        self._announcer = Announcer()
        self._state: LinkedLevel | None = None
        self._inoperable = False
        self._due = asyncio.Event()
        self._wait = EVERY
        self.repeating = False

    async def announce(self, state: LinkedLevel, entry: LogEntry | None) -> None:
        """The state after an entry; None: the level is inoperable."""
        self._state, self._inoperable = state, entry is None
        if entry:
            self._announcer = self._announcer.changed(entry, time.monotonic())
        await self._send(state)

    async def repeat(self, state: LinkedLevel, claims: Iterable[str]) -> None:
        """Tables asked what became of these claims."""
        self._announcer = self._announcer.asked(claims, time.monotonic())
        await self._send(state)

    def repeat_now(self) -> None:
        """There is a new connection: announce the amount before the next second."""
        self._wait = 0.0
        self._due.set()

    async def run(self) -> None:
        """Repeat the amount until cancelled; also as soon as it is not pending any more."""
        while True:
            self._due.clear()
            now, wait, self._wait = time.monotonic(), self._wait, EVERY
            if now < self._announcer.pending_until:
                wait = min(wait, self._announcer.pending_until - now)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._due.wait()
                    continue
            if self.repeating and self._state:
                await self._send(self._state)

    async def _send(self, state: LinkedLevel) -> None:
        """An amount that cannot be sent now is not sent later: another one follows."""
        self._announcer, amount = self._announcer.announce(
            state, time.monotonic(), inoperable=self._inoperable
        )
        self._due.set()
        if not self._client.is_connected:
            return
        for subject in self._subjects:
            message = SignedMessage.make(subject, amount.payload, self._signer)
            with suppress(nats.errors.Error):
                await self._client.publish(subject, message.payload, headers=message.headers())
