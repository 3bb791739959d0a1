"""Sends the events of a table to one receiver, in order.

Theory of operation
-------------------
The journal is the queue: the delivery reads a row when the receiver has taken the event before it, so a
receiver that hangs or is away for days costs neither memory nor a thread of the table. What the receiver
has is in a file of the bridge, and some receivers know it themselves (a broker keeps the last event of
each topic). The delivery goes on after the later of the two:

- If the bridge is killed after the receiver took an event and before the file says so, the receiver knows it.
- If a receiver loses what it knew, the file knows it.

If neither knows, the event is sent again, with the same id. A receiver that has a row which the journal
does not have got it from a journal that was put back or copied: then nothing is sent until a person has
looked.

Only rows up to the last one that the core discloses are read, as by the uplink: those of a round in play
stay at the table. A state is not a row: only the newest one is sent, and none that is older than what was
sent.
"""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom
from typing import Final

import structlog

from controller.bridge.events import Event, event_of_row
from controller.bridge.metrics import BridgeMetrics
from controller.bridge.place import Place, PlaceError, PlaceFile
from controller.bridge.receiver import Connection, NotDelivered, Receiver
from controller.journal.chain import START, JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.journal.place import Extent, OtherRows, goes_on_after
from controller.process.tasks import run_parts
from controller.process.traces import fault_location

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 60.0
"""Seconds between two attempts. The pause doubles with each failure, give or take a quarter."""
STATE_GAP: Final = 0.5
"""Least seconds between two states."""
ROWS_PER_TURN: Final = 200
"""Rows without an event that are read before other receivers get a turn."""


class Delivery:
    """`folder`: where the place of the receiver is kept. Call `disclose` with the last row that may leave the
    house, and `show` with each new state of the table."""

    def __init__(self, receiver: Receiver, history: History, folder: Path, metrics: BridgeMetrics) -> None:
        self._receiver, self._history, self._metrics = receiver, history, metrics
        self._file = PlaceFile(folder / f"{receiver.name}.place")
        self._disclosed: Place | None = None
        self._state: Event | None = None
        self._state_due = 0.0
        self._news = asyncio.Event()
        self._log = structlog.get_logger("tableside.bridge").bind(receiver=receiver.name)
        self.problem = "nothing was delivered yet"
        """Why nothing is sent now; empty if all is well."""

    @property
    def name(self) -> str:
        return self._receiver.name

    def disclose(self, last: Place) -> None:
        self._disclosed = last
        self._news.set()

    def show(self, state: Event) -> None:
        if "state" in self._receiver.events:
            self._state = state
            self._news.set()

    async def run(self) -> None:
        """Send until cancelled."""
        pause = FIRST_PAUSE
        while True:
            begun, sent = time.monotonic(), self._metrics.sent(self.name)
            try:
                async with self._receiver.connection() as connection:
                    if self._receiver.greets:
                        self._on_problem("")
                    await run_parts((self._send(connection), connection.lost()))
            except (NotDelivered, JournalError, OtherRows, PlaceError) as error:
                self._metrics.failed(self.name)
                self._on_problem(str(error))
            if self._metrics.sent(self.name) > sent or time.monotonic() - begun > LONGEST_PAUSE:
                pause = FIRST_PAUSE
            await asyncio.sleep(pause * SystemRandom().uniform(0.75, 1.25))
            pause = min(2 * pause, LONGEST_PAUSE)

    def _on_problem(self, why: str) -> None:
        if why and why != self.problem:
            self._log.error("events are not delivered", why=why)
        elif self.problem and not why:
            self._log.info("events are delivered")
        self.problem = why
        self._metrics.up(self.name, not why)

    async def _send(self, connection: Connection) -> None:
        """Send what there is, and what comes. Raises NotDelivered, JournalError, OtherRows, PlaceError."""
        place: Place | None = None
        while True:
            self._news.clear()
            last = self._disclosed
            if last and (place is None or place.journal != last.journal):
                place = await self._find_place(connection, last)
            await self._send_state(connection)
            if last and place:
                place = await self._send_rows(connection, place, last)
            await self._wait()

    async def _wait(self) -> None:
        """Return when there may be something to send."""
        if self._state is None:
            await self._news.wait()
        else:
            await asyncio.sleep(max(0.0, self._state_due - time.monotonic()))

    async def _send_state(self, connection: Connection) -> None:
        state = self._state
        if state is None or time.monotonic() < self._state_due:
            return
        await self._deliver(connection, state)
        self._state_due = time.monotonic() + STATE_GAP
        if self._state is state:
            self._state = None

    async def _send_rows(self, connection: Connection, place: Place, last: Place) -> Place:
        """Send the events after `place` up to the last row. Returns the place after them."""
        begun = place
        for entry in self._rows(place.row + 1, last.row):
            event = self._event(last.journal, entry)
            place = Place(last.journal, entry.row, entry.hash.hex())
            if event and event.kind in self._receiver.events:
                await self._deliver(connection, event)
                self._file.store(place)
                await self._send_state(connection)
            elif entry.row % ROWS_PER_TURN == 0:
                await asyncio.sleep(0)
            self._metrics.reached(self.name, place.row, last.row)
        if place != begun:
            await asyncio.to_thread(self._file.store, place, on_disk=True)
        return place

    def _rows(self, first: int, last: int) -> Iterator[JournalRow]:
        """Raises JournalError."""
        return self._history.rows(first, last) if first <= last else iter(())

    def _event(self, journal: str, entry: JournalRow) -> Event | None:
        """A row that makes no sense holds up no other one."""
        try:
            return event_of_row(journal, entry)
        except Exception as error:  # noqa: BLE001
            self._log.error("row makes no sense", row=entry.row, why=fault_location(error))
            return None

    async def _deliver(self, connection: Connection, event: Event) -> None:
        await connection.send(event)
        self._metrics.delivered(self.name, event.kind)
        self._on_problem("")

    async def _find_place(self, connection: Connection, last: Place) -> Place:
        """Where the receiver goes on. A receiver of which nothing is known begins with what happens from
        now on; one that has another journal, with the first row of this one. Raises NotDelivered,
        JournalError, OtherRows, PlaceError."""
        stored = self._file.read()
        known = [*await connection.reached(), *((stored,) if stored else ())]
        of_journal = [place for place in known if place.journal == last.journal]
        if not of_journal and not known:
            self._log.info("begins", row=last.row)
            self._file.store(last, on_disk=True)
            return last
        begin = Place(last.journal, 0, START.hex())
        place = max(of_journal, key=lambda place: place.row, default=begin)
        return self._checked(place)

    def _checked(self, place: Place) -> Place:
        """The place, or the first one after it of which the journal still has the rows. Raises OtherRows,
        JournalError."""
        extent = Extent.of(self._history)
        if place.row == 0 and extent.oldest == 1:
            return place
        if place.row and goes_on_after(self._history, extent, place.row, place.digest, "the receiver"):
            return place
        self._log.error("rows are gone", first=place.row + 1, last=extent.oldest - 1)
        return Place(place.journal, extent.oldest - 1, extent.before.hex())
