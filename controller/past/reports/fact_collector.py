"""Collect the facts of a period from rows. READERS has a method for each kind of row."""

import json
from collections.abc import Callable, Iterable
from typing import Any, cast

from controller.calendar import Period
from controller.jackpot import Unbalanced
from controller.journal.chain import JournalRow, RowContent
from controller.journal.closed_files import CONTINUED
from controller.journal.errors import JournalError
from controller.past.reports.facts import Decision, Facts, PlayedRules, ReportedEvent
from controller.past.reports.trackers import LOST, IntervalTracker, MeterTracker, RoundTracker, lasting_states
from controller.past.significant import is_play, significant_event
from controller.table.record.codec import from_json, read_record
from controller.table.record.kinds import BY_NAME, INPUTS, SNAPSHOT
from controller.table.record.notes import ClaimMoved, MeterMoved, RoundCorrected, RoundEnded

UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, RecursionError, Unbalanced)
"""What a row that makes no sense raises."""
NOT_DECISIONS = frozenset({"console key", "dealer", "started", "event"})
"""Kinds of inputs that are not a person's decision."""
SHOWN_ELSEWHERE = frozenset(
    {
        "ALERT",
        "SUSPENDED",
        "RESUMED",
        "SUPERVISOR",
        "JACKPOT",
        "CLAIM",
        "ROUND_VOID",
        "ROUND_CORRECTED",
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

JsonRecord = dict[str, Any]


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

    def read(self, rows: Iterable[JournalRow]) -> None:
        """The rows of one file. They begin with a snapshot, or with the journal."""
        begins = True
        for entry in rows:
            try:
                self._read_row(entry, begins=begins)
                begins = begins and entry.content.kind == CONTINUED
            except UNREADABLE as error:
                raise _row_error(entry, error) from error

    def read_correction(self, entry: JournalRow) -> None:
        """A correction, which may have come long after its round. Call this after all `read`."""
        try:
            self.rounds.correct(from_json(RoundCorrected, json.loads(entry.content.body)))
        except UNREADABLE as error:
            raise _row_error(entry, error) from error

    def finish(self, until: float) -> Facts:
        """All facts. Intervals that have not ended last until `until`."""
        facts = self.facts
        facts.rounds, facts.corrected = self.rounds.finish(), self.rounds.corrected
        facts.intervals = self._devices.closed(until)
        facts.suspensions, facts.dealing = self._suspended.closed(until), self._dealers.closed(until)
        return facts

    def _read_row(self, entry: JournalRow, *, begins: bool) -> None:
        row = entry.content
        self._inside = self.period.holds(row.at)
        self._meters.new = self._meters.new or entry.row == 1
        if self._inside:
            self._meters.enter_row(entry.row)
        if row.kind == SNAPSHOT:
            self._snapshot(row.at, json.loads(row.body), begins=begins)
        elif row.kind in READERS:
            READERS[row.kind](self, row.at, json.loads(row.body))
        if row.kind == "event":
            self._event(row.at, row.device, json.loads(row.body))
        if self._inside:
            self._significant(entry)

    def _significant(self, entry: JournalRow) -> None:
        row, facts = entry.content, self.facts
        if row.kind in INPUTS and row.kind not in NOT_DECISIONS:
            self._add_decision(row)
        event = None if is_play(row) else significant_event(row)
        if event and event.code == "ALERT":
            facts.alerts.append(ReportedEvent(row.at, event.code, event.device, event.text))
        elif event and event.code not in SHOWN_ELSEWHERE:
            facts.faults.append(ReportedEvent(row.at, event.code, event.device, event.text))

    def _add_decision(self, row: RowContent) -> None:
        kind, record = BY_NAME[row.kind], read_record(row)
        who, second = (*kind.persons(record), "", "")[:2]
        if who:
            self.facts.said.append(Decision(row.at, who, second, kind.text(record), kind.reason(record)))

    def _snapshot(self, at: float, record: JsonRecord, *, begins: bool) -> None:
        """The state of the table counts at the beginning of a file; meters always count, because rows before
        may have been left out."""
        self.rounds.rules = rules_of(record["rules"])
        if begins:
            self._add_names(record)
            self.rounds.start_after(next(iter(record.get("ends", ())), None))
            self._restore_intervals(at, record)
        self._meters.read_snapshot(record.get("meters", {}))

    def _add_names(self, record: JsonRecord) -> None:
        for known, name in ((self.facts.tables, "table"), (self.facts.versions, "version")):
            if record.get(name) and record[name] not in known:
                known.append(record[name])

    def _restore_intervals(self, at: float, record: JsonRecord) -> None:
        for device, known in record["devices"].items():
            turn = self._devices.end if known["running"] else self._devices.begin
            turn(device, LOST, at)
        reasons = [*record["suspension"]["lasting"].values(), *record["suspension"]["passing"].values()]
        if not reasons:
            self._suspended.end_all(at)
        elif not self._suspended.open:
            self._suspended.begin("", reasons[0], at)
        self._change_dealer(at, record.get("croupier", ""))

    def started(self, at: float, record: JsonRecord) -> None:
        """At a start of the daemon no device is connected."""
        if not self._inside:
            self.facts.tables.clear()
            self.facts.versions.clear()
        self._add_names(record)
        if self.rounds.rules is None:
            self.rounds.rules = rules_of(record)
        for device in record["devices"]:
            self._devices.begin(device, LOST, at)

    def lost(self, at: float, record: JsonRecord) -> None:
        self._devices.begin(record["device"], LOST, at)

    def running(self, at: float, record: JsonRecord) -> None:
        self._devices.end(record["device"], LOST, at)

    def suspended(self, at: float, record: JsonRecord) -> None:
        """The first reason names the suspension."""
        if not self._suspended.open:
            self._suspended.begin("", record["why"], at)

    def resumed(self, at: float, _record: JsonRecord) -> None:
        self._suspended.end_all(at)

    def dealer(self, at: float, record: JsonRecord) -> None:
        self._change_dealer(at, record["who"])

    def moved(self, at: float, record: JsonRecord) -> None:
        self._meters.move(at, from_json(MeterMoved, record), inside=self._inside)

    def claimed(self, _at: float, record: JsonRecord) -> None:
        claim = cast("ClaimMoved", from_json(ClaimMoved, record)).claim
        if self._inside:
            self.facts.claims[claim.number] = claim
            if claim.state == "paid":
                self.facts.paid[claim.number] = claim.cents

    def ended(self, at: float, record: JsonRecord) -> None:
        self.rounds.end(at, from_json(RoundEnded, record))

    def refused(self, _at: float, _record: JsonRecord) -> None:
        self.facts.refusals += self._inside

    def stepped(self, _at: float, record: JsonRecord) -> None:
        if self._inside and not record.get("asleep"):
            self.facts.clock_steps.append(float(record["seconds"]))

    def shoe_ended(self, _at: float, _record: JsonRecord) -> None:
        self.facts.shoes += self._inside

    def _change_dealer(self, at: float, who: str) -> None:
        if who and ("", who) in self._dealers.open:
            return
        self._dealers.end_all(at)
        if who:
            self._dealers.begin("", who, at)
        self.rounds.croupier = who

    def _event(self, at: float, device: str, record: JsonRecord) -> None:
        if isinstance(record["body"], dict) and not record["history"]:
            for what, on in lasting_states(record["body"]):
                (self._devices.begin if on else self._devices.end)(device, what, at)


def _row_error(entry: JournalRow, error: Exception) -> JournalError:
    kind = entry.content.kind
    return JournalError(f"row {entry.row} of the journal makes no sense as a row of kind {kind}: {error!r}")


def rules_of(record: JsonRecord) -> PlayedRules:
    """From a start or a snapshot."""
    return PlayedRules(record["game"], json.dumps(record["options"], sort_keys=True))


READERS: dict[str, Callable[[FactCollector, float, JsonRecord], None]] = {
    "started": FactCollector.started,
    "device lost": FactCollector.lost,
    "device running": FactCollector.running,
    "suspended": FactCollector.suspended,
    "resumed": FactCollector.resumed,
    "dealer": FactCollector.dealer,
    "meter": FactCollector.moved,
    "claim": FactCollector.claimed,
    "round": FactCollector.ended,
    "refusal": FactCollector.refused,
    "clock": FactCollector.stepped,
    "shoe ended": FactCollector.shoe_ended,
}
