"""What the collector follows along the rows: intervals (lost devices, faults, suspensions, dealers), meters,
and rounds."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from controller.calendar import Period
from controller.jackpot import Books
from controller.past.reports.facts import Facts, MeterMovement, MeterReading, ReportedRound, TimeInterval
from controller.past.reports.round_figures import RoundFigures
from controller.past.reports.row_reader import CorrectedFigures
from controller.table.record.notes import MeterMoved
from drivers import messages
from drivers.messages import EventBody

LOST = "not there"

Key = tuple[str, str]
"""A device, "" for the table itself, and what lasts."""


@dataclass(slots=True)
class IntervalTracker:
    """What lasts at the moment, and since when."""

    period: Period
    open: dict[Key, float] = field(default_factory=dict)
    closed: list[TimeInterval] = field(default_factory=list)

    def begin(self, device: str, what: str, at: float) -> None:
        """Does nothing if it has begun already."""
        self.open.setdefault((device, what), at)

    def end(self, device: str, what: str, at: float) -> None:
        """Does nothing if it has ended already."""
        begun = self.open.pop((device, what), None)
        if begun is not None:
            self._store((device, what), begun, at)

    def end_all(self, at: float) -> None:
        for device, what in list(self.open):
            self.end(device, what, at)

    def intervals(self, until: float) -> list[TimeInterval]:
        """All intervals in the period, in the order in which they began; open ones end at `until`."""
        still = (self._cut(key, begun, until, on=True) for key, begun in self.open.items())
        return sorted((*self.closed, *(each for each in still if each)), key=lambda each: each.begins)

    def _store(self, key: Key, begun: float, at: float) -> None:
        if cut := self._cut(key, begun, at, on=False):
            self.closed.append(cut)

    def _cut(self, key: Key, begun: float, at: float, *, on: bool) -> TimeInterval | None:
        """The part of it that is in the period."""
        begins, ends = max(begun, self.period.begins), min(at, self.period.ends)
        after = at > self.period.ends or on
        inside = begins < self.period.ends and ends >= begins and at >= self.period.begins
        return TimeInterval(*key, begins, ends, open=after) if inside else None


def lasting_state(body: EventBody | bytes) -> tuple[str, bool] | None:
    """What has begun, or ended, with the event of a device; None if nothing has."""
    if isinstance(body, bytes) or type(body) not in LASTING_EVENTS:
        return None
    (what, flag), fields = LASTING_EVENTS[type(body)], asdict(body)
    return what.format(**fields), bool(fields[flag])


LASTING_EVENTS: Mapping[type, tuple[str, str]] = {
    messages.Fault: ("fault {code}", "on"),
    messages.ShoeJam: ("card jam", "on"),
    messages.ShufflerJam: ("card jam", "on"),
    messages.SensorFault: ("sensor of seat {seat}, spot {spot}", "on"),
    messages.Door: ("door {which} open", "open"),
    messages.Cover: ("cover open", "open"),
}
"""By the message in an event: what lasts, and the field that says whether it has begun."""

BEGAN = "The jackpot began"


class MeterTracker:
    """Writes into the facts. `new`: the rows begin with the journal, so an unknown meter began with what it
    shows."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._readings: dict[str, MeterReading] = {}
        self.new = False

    def enter_row(self, row: int) -> None:
        """Call this before each row of the period."""
        facts = self._facts
        if not facts.first_row:
            facts.first_row, facts.began = row, dict(self._readings)
        facts.last_row, facts.ended = row, dict(self._readings)

    def read_snapshot(self, meters: Mapping[str, MeterReading]) -> None:
        """All meters in a snapshot. If one differs, rows that were left out moved it."""
        for spot, stood in meters.items():
            known = self._readings.get(spot)
            if known and spot in self._facts.began and known.cents != stood.cents:
                self._elsewhere(spot, stood.cents - known.cents)
            self._readings[spot] = stood

    def move(self, at: float, note: MeterMoved, *, inside: bool) -> None:
        facts, after = self._facts, MeterReading(note.after, note.books)
        if note.spot not in self._readings:
            self._first(at, note, inside=inside)
        if inside:
            facts.began.setdefault(note.spot, self._readings[note.spot])
            facts.movements.append(MeterMovement(at, note))
            facts.ended[note.spot] = after
        elif note.spot in facts.began:
            self._elsewhere(note.spot, note.after - note.before)
        self._readings[note.spot] = after

    def _first(self, at: float, note: MeterMoved, *, inside: bool) -> None:
        """At the beginning of the journal, the house funded what the meter shows; elsewhere an older version
        wrote no books."""
        self._readings[note.spot] = MeterReading(0, Books()) if self.new else MeterReading(note.before, None)
        if self.new and inside:
            self._facts.began[note.spot] = self._readings[note.spot]
            self._facts.movements.append(
                MeterMovement(at, MeterMoved(note.spot, "seed", 0, note.before, BEGAN))
            )

    def _elsewhere(self, spot: str, cents: int) -> None:
        self._facts.elsewhere[spot] = self._facts.elsewhere.get(spot, 0) + cents


class RoundTracker:
    """Give it all ended rounds, also of other periods, because each is timed from the one before.
    `croupier`: the dealer of the round in play."""

    def __init__(self, period: Period) -> None:
        self._period = period
        self._rounds: dict[int, ReportedRound] = {}
        self._last: float | None = None
        self.corrected: dict[int, int] = {}
        self.croupier = ""

    def start_after(self, at: float | None) -> None:
        """`at`: when the round before ended; None: unknown."""
        self._last = at

    def end(self, at: float, figures: RoundFigures) -> None:
        """A round belongs to the period of its time, whatever the clock did before and after."""
        took = at - self._last if self._last is not None and at >= self._last else None
        self._last = at
        if self._period.holds(at):
            self._rounds[figures.number] = ReportedRound(at, took, self.croupier, figures)

    def correct(self, correction: CorrectedFigures) -> None:
        number = correction.number
        if number in self._rounds:
            self._rounds[number] = replace(self._rounds[number], figures=correction.figures)
            self.corrected[number] = self.corrected.get(number, 0) + 1

    def finish(self) -> list[ReportedRound]:
        """The rounds in the order in which they ended."""
        return list(self._rounds.values())
