"""Collect the facts of a period from rows. COLLECTORS has a method for each record that is counted by
itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import merge
from operator import attrgetter
from typing import Any, Final, cast

from controller.calendar import Period
from controller.past.reports.facts import Decision, Facts, ReportedEvent
from controller.past.reports.round_figures import RoundFigures
from controller.past.reports.row_reader import CorrectedFigures, FactRow, SnapshotRecord, TableStanding
from controller.past.reports.trackers import LOST, IntervalTracker, MeterTracker, RoundTracker, lasting_state
from controller.past.significant import event_of
from controller.table.record.events import DealerOn, DeviceEvent, DeviceLost, DeviceRunning, Started
from controller.table.record.kinds import BY_RECORD, INPUTS
from controller.table.record.notes import (
    ClaimMoved,
    ClockStepped,
    MeterMoved,
    Refusal,
    Resumed,
    ShoeEnded,
    Suspended,
)

NOT_DECISIONS = (DealerOn, DeviceEvent, Started)
"""Inputs that are not a person's decision."""
SHOWN_ELSEWHERE = frozenset(
    {
        "SUSPENDED",
        "RESUMED",
        "SUPERVISOR",
        "JACKPOT",
        "CLAIM",
        "SHOE_ENDED",
        "SELF_TEST",
        "CLOCK",
        "RETIRED",
        "LINK_LOST",
        "LINK_BACK",
        "SHOE_LOADED",
        "ACCESS",
        "ACKNOWLEDGED",
        "REQUEST",
        "TEST_MODE",
        "LAMP_TEST",
        "LAMP_REPORT",
    }
)
"""Significant events that other parts of a report show."""


@dataclass(frozen=True, slots=True)
class PeriodRows:
    """The rows of one file that reports need, from the row `begin` on: a snapshot, or the first row of the
    file. `first` and `last`: the first and the last row of the file with a time in the period, needed or not;
    0: there is none."""

    begin: int
    first: int
    last: int
    rows: Iterable[FactRow]


class FactCollector:
    """Give it the rows of all files, oldest first. Raises JournalError for a row that makes no sense."""

    def __init__(self, period: Period) -> None:
        self.period, self.facts = period, Facts()
        self.rounds = RoundTracker(period)
        self._devices, self._suspended, self._dealers = (
            IntervalTracker(period),
            IntervalTracker(period),
            IntervalTracker(period),
        )
        self._meters = MeterTracker(self.facts)
        self._inside = False

    def read(self, found: PeriodRows) -> None:
        self._meters.new = self._meters.new or found.begin == 1
        ends = (FactRow(row, self.period.begins, "", None) for row in (found.first, found.last) if row)
        before = 0
        for row in merge(found.rows, ends, key=attrgetter("row")):
            if row.row > before:
                self._read_row(row)
            before = row.row

    def read_correction(self, row: FactRow) -> None:
        """A correction, which may have come long after its round. Call this after all `read`."""
        self.rounds.correct(cast("CorrectedFigures", row.readable))

    def finish(self, until: float) -> Facts:
        """All facts. Intervals that have not ended last until `until`."""
        facts = self.facts
        facts.rounds, facts.corrected = self.rounds.finish(), self.rounds.corrected
        facts.intervals = self._devices.intervals(until)
        facts.suspensions, facts.dealing = self._suspended.intervals(until), self._dealers.intervals(until)
        return facts

    def _read_row(self, row: FactRow) -> None:
        record = row.readable
        self._inside = self.period.holds(row.at)
        if self._inside:
            self._meters.enter_row(row.row)
        if type(record) in COLLECTORS:
            COLLECTORS[type(record)](self, row.at, record)
        if self._inside and type(record) in BY_RECORD:
            self._significant(row.at, record)

    def _significant(self, at: float, record: Any) -> None:
        kind = BY_RECORD[type(record)]
        if kind.name in INPUTS and not isinstance(record, NOT_DECISIONS):
            who, second = (*kind.persons(record), "", "")[:2]
            if who:
                self.facts.said.append(Decision(at, who, second, kind.text(record), kind.reason(record)))
        shown = kind.code and kind.code.name in SHOWN_ELSEWHERE
        event = None if shown else event_of(record)
        if event and event.code not in SHOWN_ELSEWHERE:
            events = self.facts.alerts if event.code == "ALERT" else self.facts.faults
            events.append(ReportedEvent(at, event.code, event.device, event.text))

    def add_snapshot(self, at: float, record: SnapshotRecord) -> None:
        """The state of the table counts where rows begin; meters always count, because rows before may have
        been left out."""
        if record.standing:
            self._restore(at, record.standing)
        self._meters.read_snapshot(record.meters)

    def _restore(self, at: float, standing: TableStanding) -> None:
        self._add_names(standing)
        self.rounds.start_after(standing.ended)
        for device, runs in standing.running.items():
            turn = self._devices.end if runs else self._devices.begin
            turn(device, LOST, at)
        if standing.suspended is None:
            self._suspended.end_all(at)
        elif not self._suspended.open:
            self._suspended.begin("", standing.suspended, at)
        self._change_dealer(at, standing.croupier)

    def _add_names(self, record: Started | TableStanding) -> None:
        for known, name in ((self.facts.tables, record.table), (self.facts.versions, record.version)):
            if name and name not in known:
                known.append(name)

    def add_start(self, at: float, record: Started) -> None:
        """At a start of the daemon no device is connected."""
        if not self._inside:
            self.facts.tables.clear()
            self.facts.versions.clear()
        self._add_names(record)
        for device in record.devices:
            self._devices.begin(device, LOST, at)

    def add_loss(self, at: float, record: DeviceLost) -> None:
        self._devices.begin(record.device, LOST, at)

    def add_connection(self, at: float, record: DeviceRunning) -> None:
        self._devices.end(record.device, LOST, at)

    def add_suspension(self, at: float, record: Suspended) -> None:
        """The first reason names the suspension."""
        if not self._suspended.open:
            self._suspended.begin("", record.why, at)

    def add_resumption(self, at: float, _record: Resumed) -> None:
        self._suspended.end_all(at)

    def add_dealer(self, at: float, record: DealerOn) -> None:
        self._change_dealer(at, record.who)

    def add_meter_move(self, at: float, record: MeterMoved) -> None:
        self._meters.move(at, record, inside=self._inside)

    def add_claim(self, _at: float, record: ClaimMoved) -> None:
        claim = record.claim
        if self._inside:
            self.facts.claims[claim.number] = claim
            if claim.state == "paid":
                self.facts.paid[claim.number] = claim.cents

    def add_round(self, at: float, record: RoundFigures) -> None:
        self.rounds.end(at, record)

    def add_refusal(self, _at: float, _record: Refusal) -> None:
        self.facts.refusals += self._inside

    def add_clock_step(self, _at: float, record: ClockStepped) -> None:
        if self._inside and not record.asleep:
            self.facts.clock_steps.append(float(record.seconds))

    def add_shoe_end(self, _at: float, _record: ShoeEnded) -> None:
        self.facts.shoes += self._inside

    def add_device_event(self, at: float, record: DeviceEvent) -> None:
        if not record.history and (state := lasting_state(record.body)):
            what, on = state
            (self._devices.begin if on else self._devices.end)(record.device, what, at)

    def _change_dealer(self, at: float, who: str) -> None:
        if who and ("", who) in self._dealers.open:
            return
        self._dealers.end_all(at)
        if who:
            self._dealers.begin("", who, at)
        self.rounds.croupier = who


COLLECTORS: Final[Mapping[type, Callable[[FactCollector, float, Any], None]]] = {
    SnapshotRecord: FactCollector.add_snapshot,
    Started: FactCollector.add_start,
    DeviceLost: FactCollector.add_loss,
    DeviceRunning: FactCollector.add_connection,
    DeviceEvent: FactCollector.add_device_event,
    Suspended: FactCollector.add_suspension,
    Resumed: FactCollector.add_resumption,
    DealerOn: FactCollector.add_dealer,
    MeterMoved: FactCollector.add_meter_move,
    ClaimMoved: FactCollector.add_claim,
    RoundFigures: FactCollector.add_round,
    Refusal: FactCollector.add_refusal,
    ClockStepped: FactCollector.add_clock_step,
    ShoeEnded: FactCollector.add_shoe_end,
}
