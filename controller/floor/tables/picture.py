"""All tables of a property as the floor sees them now.

Theory of operation
-------------------
What comes in is a status of a table, a head or an incident of the projector, a report of another part of the
floor, an acknowledgement, or only the time. Each input changes the record of one table; then the alerts of
that table are looked at again, and its tile is made again. A tile that looks the same stays the same object,
so that a comparison of two pictures is quick.

Nothing here has a clock: each input comes with the floor's time, in seconds of Unix time.
"""

from collections.abc import Mapping
from typing import Final

from controller.floor.day_file import JournalName
from controller.floor.projector import Incident
from controller.floor.tables.alert_kinds import ALERT_KINDS
from controller.floor.tables.alerts import FloorAlert, FloorAlerts, FloorCause
from controller.floor.tables.jackpots import LinkedJackpots
from controller.floor.tables.record import StoredHead, TableRecord
from controller.floor.tables.tile import Tile, TileAlert
from controller.floor.tables.tile_maker import shown_alerts, tile_of
from controller.property.status import TableStatus, UplinkStatus

OTHER_HASH: Final = "The table states another hash of row {row} than the one that is stored"
NO_PIT: Final = ""
_WATCHED: Final = tuple((kind, row.watch) for kind, row in ALERT_KINDS.items() if row.watch)


class FloorPicture:
    """`pits`: the tables of each pit in the order in which they stand; `now`: when the floor starts."""

    def __init__(self, pits: Mapping[str, tuple[str, ...]], now: float) -> None:
        places = [(pit, table) for pit, tables in pits.items() for table in tables]
        self._pits = {table: pit for pit, table in places}
        self._places = {table: place for place, (_pit, table) in enumerate(places)}
        self._records: dict[str, TableRecord] = {}
        self.alerts = FloorAlerts()
        self.tiles: dict[str, Tile] = {}
        """By table. Do not change it."""
        self.jackpots = LinkedJackpots((), now)
        """The linked progressives of the property."""
        for table in self._places:
            self._touch(table, now)

    @property
    def own_alerts(self) -> tuple[TileAlert, ...]:
        """Alerts about the floor itself, and about names that have no tile, because nobody admitted them: the
        most severe first, then the oldest."""
        return shown_alerts(alert for alert in self.alerts if alert.cause.table not in self.tiles)

    def admit(self, name: JournalName, now: float) -> None:
        """This is the journal of the table from now on."""
        self._record(name.table, now).admit(name.epoch, now)
        self.alerts.end(FloorCause("unknown journal", name.table, name.epoch), now)
        self._touch(name.table, now)

    def take_status(self, table: str, status: TableStatus, received: float, now: float) -> None:
        """A status that the table signed. One that came before the last one is ignored."""
        record = self._record(table, now)
        if record.received is None or received >= record.received:
            record.take_status(status, received)
            self._compare_hashes(record, now)
            self._touch(table, now)

    def take_uplink(self, table: str, uplink: UplinkStatus, received: float, now: float) -> None:
        """What an uplink says without its core."""
        record = self._record(table, now)
        if received >= record.uplink_received:
            record.take_uplink(uplink, received)
            self._touch(table, now)

    def take_head(self, name: JournalName, head: StoredHead, now: float) -> None:
        """A row was stored. Heads of other journals than the admitted one do not count."""
        record = self._record(name.table, now)
        if record.epoch == name.epoch:
            record.take_head(head)
            self._compare_hashes(record, now)
            self._touch(name.table, now)

    def take_incident(self, incident: Incident, now: float) -> None:
        """The projector did not store a batch, or cannot read a row."""
        self.alerts.raise_alert(cause_of(incident), incident.sentence, now, incident.row)
        self._touch(incident.name.table, now)

    def report(self, cause: FloorCause, text: str, now: float) -> None:
        """Another part of the floor has seen something; an empty text ends it."""
        if text and ALERT_KINDS[cause.kind].once:
            self.alerts.raise_alert(cause, text, now)
        else:
            self.alerts.watch(cause, text, now)
        self._touch(cause.table, now)

    def acknowledge(self, number: int, who: str, now: float) -> FloorAlert:
        """A person acknowledges an alert of the floor. Raises UnknownAlert."""
        alert = self.alerts.acknowledge(number, who)
        self._touch(alert.cause.table, now)
        return alert

    def status(self, table: str) -> TableStatus | None:
        """The last status that the table signed, however old."""
        record = self._records.get(table)
        return record.status if record else None

    def tick(self, now: float) -> None:
        """Call it once a second: what ends or begins with time alone."""
        for table, record in self._records.items():
            before = self.alerts.of_table(table)
            self._watch(record, now)
            if self.alerts.of_table(table) != before:
                self._show(record, now)

    def _record(self, table: str, now: float) -> TableRecord:
        return self._records.setdefault(table, TableRecord(table, now))

    def _touch(self, table: str, now: float) -> None:
        """Something about this table has changed. The floor itself has no tile. A table has one if it is
        in the layout or has a record."""
        if table in self._places and table not in self._records:
            self._record(table, now)
        if record := self._records.get(table):
            self._watch(record, now)
            self._show(record, now)

    def _watch(self, record: TableRecord, now: float) -> None:
        present = self.alerts.of_table(record.table)
        for kind, watch in _WATCHED:
            text = watch(record, now)
            if (
                text or present
            ):  # most tables have no alert that could end, and each is looked at every second
                self.alerts.watch(FloorCause(kind, record.table), text, now)
        for alert in self.alerts.of_table(record.table):
            lasts = ALERT_KINDS[alert.cause.kind].lasts
            if lasts and not lasts(record, alert.row):
                self.alerts.end(alert.cause, now)

    def _show(self, record: TableRecord, now: float) -> None:
        table = record.table
        pit, place = self._pits.get(table, NO_PIT), self._places.get(table, len(self._places))
        fresh = tile_of(record, pit, place, self.alerts.of_table(table), now)
        if fresh != self.tiles.get(table):
            self.tiles[table] = fresh

    def _compare_hashes(self, record: TableRecord, now: float) -> None:
        """The signed status also states what the journal holds: at the same row, both have the same hash."""
        status, head = record.status, record.head
        if status is None or head is None or status.epoch != record.epoch or status.row != head.row:
            return
        if status.hash != head.hash.hex():
            cause = FloorCause("fork", record.table)
            self.alerts.watch(cause, OTHER_HASH.format(row=head.row), now)


def cause_of(incident: Incident) -> FloorCause:
    which = incident.name.epoch if incident.kind == "unknown journal" else ""
    return FloorCause(incident.kind, incident.name.table, which)
