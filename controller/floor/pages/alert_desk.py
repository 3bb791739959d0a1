"""The desk at which people acknowledge the floor's own alerts, at either of two instances of the floor."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

import structlog
from pydantic import TypeAdapter, ValidationError

from controller.access.people import Person
from controller.floor.acknowledgements import Acknowledgement, AcknowledgementTrail
from controller.floor.floor_log import FloorEntry, SharedJournal
from controller.floor.store_file import StoreError
from controller.floor.tables.alert_kinds import MOST_SKEW
from controller.floor.tables.picture import FloorPicture
from controller.floor.tables.tile import TileAlert
from controller.journal.errors import JournalError

KIND: Final = "acknowledgement"
"""The kind of the entry in the floor's own journal."""
PAUSE: Final = 0.5
"""Seconds between two looks at the journal."""


@dataclass(frozen=True, slots=True)
class SharedAcknowledgement(Acknowledgement):
    """The body of the entry. `which` and `row`, with the kind, say at another instance which alert it is."""

    which: str = ""
    row: int = 0


_BODY: Final = TypeAdapter(SharedAcknowledgement)


class FloorAlertDesk:
    """Acknowledges alerts of the floor about a table, or about the floor itself if `table` is empty: first in
    the floor's own journal, then in the trail, then in the picture. What persons acknowledge at another
    instance comes from the journal. `clock`: Unix time."""

    def __init__(
        self,
        picture: FloorPicture,
        trail: AcknowledgementTrail,
        journal: SharedJournal,
        clock: Callable[[], float],
    ) -> None:
        self._picture, self._trail, self._journal, self._clock = picture, trail, journal, clock
        self._read = trail.last_entry
        self._fault = ""
        self._log = structlog.get_logger("tableside.floor")

    async def run(self) -> None:
        """Take what is acknowledged at another instance, until cancelled."""
        while True:
            try:
                self.look()
                self._fault = ""
            except (StoreError, JournalError) as fault:
                self._note(str(fault))
            await asyncio.sleep(PAUSE)

    def look(self) -> None:
        """Take the entries that are new. Raises StoreError and JournalError."""
        last = self._journal.last
        if 0 < last < self._read:  # the journal was begun anew; what is known already is not added again
            self._read = 0
        if last <= self._read:
            return
        for entry in self._journal.entries(self._read):
            if entry.kind == KIND:
                self._take(entry)
            self._read = entry.n

    def trail(self, table: str) -> Sequence[Acknowledgement]:
        """Who acknowledged what about this table, newest first."""
        return self._trail.of_table(table)

    def open_alert(self, table: str, number: int) -> TileAlert:
        """Raises LookupError if the floor has no such alert, or if it is acknowledged already."""
        for alert in self._alerts(table):
            if (alert.source, alert.number, alert.who) == ("floor", number, ""):
                return alert
        if table:
            raise LookupError(f"table {table!r} has no open alert {number} of the floor")
        raise LookupError(f"there is no open alert {number} of the floor")

    async def acknowledge(self, table: str, number: int, person: Person, why: str) -> None:
        """Raises LookupError as `open_alert`, NotActing, StoreError and JournalError."""
        shown = self.open_alert(table, number)
        alert = next(one for one in self._picture.alerts if one.number == number)
        about = alert.cause.table, number, shown.kind, shown.text, shown.since
        what = alert.cause.which, alert.row
        body = SharedAcknowledgement(self._clock(), *about, person.name, person.role, why, *what)
        await self._journal.note(KIND, asdict(body))
        self.look()
        if self._is_open(number):
            self._picture.acknowledge(number, person.name, self._clock())

    def _take(self, entry: FloorEntry) -> None:
        try:
            taken = _BODY.validate_python(entry.body)
        except ValidationError as error:
            self._log.error("an entry is not an acknowledgement", entry=entry.n, why=str(error))
            return
        if not self._trail.take(entry.n, taken):
            return
        for alert in list(self._picture.alerts.of_table(taken.table)):
            about = alert.cause.kind, alert.cause.which, alert.row
            is_known = alert.first <= taken.at + MOST_SKEW  # a later one has to be acknowledged again
            if about == (taken.kind, taken.which, taken.row) and is_known and not alert.who:
                self._picture.acknowledge(alert.number, taken.who, self._clock())

    def _is_open(self, number: int) -> bool:
        return any(alert.number == number and not alert.who for alert in self._picture.alerts)

    def _note(self, fault: str) -> None:
        """Log each fault once."""
        if fault != self._fault:
            self._log.error("acknowledgements", why=fault)
        self._fault = fault

    def _alerts(self, table: str) -> Sequence[TileAlert]:
        if not table:
            return self._picture.own_alerts
        tile = self._picture.tiles.get(table)
        return tile.alerts if tile else ()
