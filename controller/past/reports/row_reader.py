"""What reports need of the rows of a file, whatever their period is. Most rows say nothing that a report
counts; a round becomes its figures. FactCollector makes the facts of a period of it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

from controller.jackpot import UNITS, Books, Unbalanced
from controller.journal.chain import JournalRow, RowContent
from controller.journal.closed_files import CONTINUED
from controller.journal.errors import JournalError
from controller.journal.history import BAD_ROW
from controller.past.reports.facts import MeterReading
from controller.past.reports.played_rules import UNKNOWN, rules_of
from controller.past.reports.round_figures import RoundFigures, round_figures
from controller.past.significant import is_play
from controller.table.record.codec import from_json, read_record
from controller.table.record.events import ConsoleKey, Started
from controller.table.record.kinds import BY_NAME, BY_RECORD, INPUTS, SNAPSHOT
from controller.table.record.notes import MeterMoved, Refusal, RoundCorrected, RoundEnded
from controller.table.record.views import RoundView

UNREADABLE = (*BAD_ROW, Unbalanced)
"""What a row that makes no sense raises."""
START, ROUND, CORRECTED, METER, REFUSAL, KEY = (
    BY_RECORD[record].name
    for record in (Started, RoundEnded, RoundCorrected, MeterMoved, Refusal, ConsoleKey)
)
NEEDED: Final = frozenset(
    {SNAPSHOT, REFUSAL, *INPUTS, *(kind.name for kind in BY_NAME.values() if kind.code)} - {KEY}
)
"""The kinds of rows that a report needs: what was counted, decided, and significant. Of the events of
devices, it does not need those that are play."""

JsonRecord = dict[str, Any]


class FactRow(NamedTuple):
    """A row that reports need. `record`: that of the row, or one of this module; an UnreadableRecord if the
    row makes no sense."""

    row: int
    at: float
    kind: str
    record: Any

    @property
    def readable(self) -> Any:
        """The record. Raises JournalError."""
        if isinstance(self.record, UnreadableRecord):
            raise JournalError(self.record.error)
        return self.record


@dataclass(frozen=True, slots=True)
class UnreadableRecord:
    """`error`: what is wrong with a row, a sentence that names its file. An exception would keep all that it
    passes through in memory."""

    error: str


@dataclass(frozen=True, slots=True)
class CorrectedFigures:
    """The figures of a round that had ended, after a correction."""

    number: int
    figures: RoundFigures


@dataclass(frozen=True, slots=True)
class TableStanding:
    """The table in a snapshot. `running`: whether each device is connected; `suspended`: the first reason,
    None if play is not suspended; `ended`: when the last round did, None if that is not known."""

    table: str
    version: str
    running: Mapping[str, bool]
    suspended: str | None
    croupier: str
    ended: float | None


@dataclass(frozen=True, slots=True)
class SnapshotRecord:
    """`standing`: only of a snapshot with which rows begin; the rows after it say what changed."""

    meters: Mapping[str, MeterReading]
    standing: TableStanding | None


class RowReader:
    """Reads rows of one file in order. They begin with a snapshot, with the file, or with the journal.
    `journal`: its name in messages, as the path of the file."""

    def __init__(self, journal: object) -> None:
        self._journal = journal
        self._begins = True
        self._rules = UNKNOWN
        self._meters: Mapping[str, MeterReading] = {}

    def read(self, rows: Iterable[JournalRow]) -> Iterator[FactRow]:
        """The rows that reports need."""
        for entry in rows:
            row = entry.content
            if row.kind in NEEDED and not is_play(row):
                try:
                    record = RECORD_READERS.get(row.kind, _record)(self, row)
                except UNREADABLE as error:
                    record = self._unreadable(entry, error)
                if record is not None:
                    yield FactRow(entry.row, row.at, row.kind, record)
            self._begins = self._begins and row.kind == CONTINUED

    def read_start(self, row: RowContent) -> Started:
        record = cast("Started", read_record(row))
        if self._rules is UNKNOWN:
            self._rules = rules_of(record.game, record.options)
        return record

    def read_snapshot(self, row: RowContent) -> SnapshotRecord | None:
        """None if the rows before say everything in it already."""
        record = json.loads(row.body)
        self._rules = rules_of(record["rules"]["game"], record["rules"]["options"])
        meters, before = _meters(record.get("meters") or {}), self._meters
        self._meters = meters
        if self._begins:
            return SnapshotRecord(meters, _standing(record))
        return SnapshotRecord(meters, None) if meters != before else None

    def read_meter(self, row: RowContent) -> MeterMoved:
        note = cast("MeterMoved", read_record(row))
        self._meters = {**self._meters, note.spot: MeterReading(note.after, note.books)}
        return note

    def read_round(self, row: RowContent) -> RoundFigures:
        return self._figures(json.loads(row.body))

    def read_correction(self, row: RowContent) -> CorrectedFigures | None:
        """None for a correction of the round in play: it is in the round when it ends."""
        record = json.loads(row.body)
        ended = record.get("ended")
        return CorrectedFigures(record["number"], self._figures(ended)) if ended else None

    def _unreadable(self, entry: JournalRow, error: Exception) -> UnreadableRecord:
        return UnreadableRecord(
            f"journal {self._journal} cannot be read: row {entry.row} makes no sense as a row of kind "
            f"{entry.content.kind}: {error!r}"
        )

    def _figures(self, ended: JsonRecord) -> RoundFigures:
        """Of the JSON of a RoundEnded. What lies on the spots is not counted, and is most of the record."""
        script = ended.get("script")
        rules = rules_of(script["game"], script["options"]) if script else self._rules
        for seat in ended["round"]["seats"]:
            seat["spots"] = ()
        return round_figures(rules, from_json(RoundView, ended["round"]))


def _record(_reader: RowReader, row: RowContent) -> object:
    return read_record(row)


def _meters(record: Mapping[str, JsonRecord]) -> dict[str, MeterReading]:
    read = {spot: cast("Books", from_json(Books, value)) for spot, value in record.items()}
    return {spot: MeterReading(books.display // UNITS, books) for spot, books in read.items()}


def _standing(record: JsonRecord) -> TableStanding:
    reasons = [*record["suspension"]["lasting"].values(), *record["suspension"]["passing"].values()]
    return TableStanding(
        record.get("table", ""),
        record.get("version", ""),
        {device: known["running"] for device, known in record["devices"].items()},
        next(iter(reasons), None),
        record.get("croupier", ""),
        next(iter(record.get("ends", ())), None),
    )


RECORD_READERS: Final[Mapping[str, Callable[[RowReader, RowContent], object]]] = {
    START: RowReader.read_start,
    SNAPSHOT: RowReader.read_snapshot,
    METER: RowReader.read_meter,
    ROUND: RowReader.read_round,
    CORRECTED: RowReader.read_correction,
}
"""By kind; the record of any other kind is needed as it is."""
