"""Things that last: lost devices, faults, suspensions, who deals. Opened and closed by rows.

Jackpots' meters along the rows: what they showed before and after a period, and what moved them.

The rounds of a period, each by its last word.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from controller.calendar import Period
from controller.jackpot import UNITS, Books
from controller.past.reports.facts import Facts, Interval, Moved, Played, Rules, Stood
from controller.table.record.notes import MeterMoved, RoundCorrected, RoundEnded
from controller.table.record.records import whole

LOST = "not there"

Key = tuple[str, str]
"""A device, and what lasts; the device is empty for the table itself."""


@dataclass(slots=True)
class Lasting:
    """What lasts now, and since when."""

    period: Period
    open: dict[Key, float] = field(default_factory=dict)
    over: list[Interval] = field(default_factory=list)

    def begin(self, device: str, what: str, at: float) -> None:
        """It may have begun already."""
        self.open.setdefault((device, what), at)

    def end(self, device: str, what: str, at: float) -> None:
        """It may have ended already."""
        begun = self.open.pop((device, what), None)
        if begun is not None:
            self._keep((device, what), begun, at)

    def end_all(self, at: float) -> None:
        """None of it lasts any longer."""
        for device, what in list(self.open):
            self.end(device, what, at)

    def closed(self, until: float) -> list[Interval]:
        """All that touched the period, in the order in which it began; what lasts still: until then."""
        still = (self._cut(key, begun, until, on=True) for key, begun in self.open.items())
        return sorted((*self.over, *(each for each in still if each)), key=lambda each: each.begins)

    def _keep(self, key: Key, begun: float, at: float) -> None:
        if cut := self._cut(key, begun, at, on=False):
            self.over.append(cut)

    def _cut(self, key: Key, begun: float, at: float, *, on: bool) -> Interval | None:
        """As much of it as is in the period."""
        begins, ends = max(begun, self.period.begins), min(at, self.period.ends)
        after = at > self.period.ends or on
        inside = begins < self.period.ends and ends >= begins and at >= self.period.begins
        return Interval(*key, begins, ends, open=after) if inside else None


def states(message: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """What a device's event says of things that last: what, and whether it does now."""
    for name, told in message.items():
        if name in LASTS:
            what, flag = LASTS[name]
            yield what.format(**told), bool(told[flag])


LASTS: dict[str, tuple[str, str]] = {
    "fault": ("fault {code}", "on"),
    "shoe_jam": ("card jam", "on"),
    "shuffler_jam": ("card jam", "on"),
    "sensor_fault": ("sensor of seat {seat}, spot {spot}", "on"),
    "door": ("door {which} open", "open"),
    "cover": ("cover open", "open"),
}
"""By the name of an event: what lasts, and the field that says whether it does."""

BEGAN = "The jackpot began"


class Metered:
    """Writes into the facts. `new`: the rows begin with the journal, so that a meter of which nothing has
    told yet began with what it shows."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._now: dict[str, Stood] = {}
        self.new = False

    def enter(self, row: int) -> None:
        """The next row is one of the period."""
        facts = self._facts
        if not facts.first_row:
            facts.first_row, facts.began = row, dict(self._now)
        facts.last_row, facts.ended = row, dict(self._now)

    def seen(self, told: Mapping[str, Any]) -> None:
        """All meters as a snapshot has them; where one is another, rows that were left out moved it."""
        for spot, value in told.items():
            books = cast("Books", whole(Books, value))
            stood, known = Stood(books.display // UNITS, books), self._now.get(spot)
            if known and spot in self._facts.began and known.cents != stood.cents:
                self._elsewhere(spot, stood.cents - known.cents)
            self._now[spot] = stood

    def moved(self, at: float, note: MeterMoved, *, inside: bool) -> None:
        """A movement, of the period or not."""
        facts, after = self._facts, Stood(note.after, note.books)
        if note.spot not in self._now:
            self._first(at, note, inside=inside)
        if inside:
            facts.began.setdefault(note.spot, self._now[note.spot])
            facts.movements.append(Moved(at, note))
            facts.ended[note.spot] = after
        elif note.spot in facts.began:
            self._elsewhere(note.spot, note.after - note.before)
        self._now[note.spot] = after

    def _first(self, at: float, note: MeterMoved, *, inside: bool) -> None:
        """Where the journal begins here the house put in what the meter shows; else an older version kept no
        books."""
        self._now[note.spot] = Stood(0, Books()) if self.new else Stood(note.before, None)
        if self.new and inside:
            self._facts.began[note.spot] = self._now[note.spot]
            self._facts.movements.append(Moved(at, MeterMoved(note.spot, "seed", 0, note.before, BEGAN)))

    def _elsewhere(self, spot: str, cents: int) -> None:
        self._facts.elsewhere[spot] = self._facts.elsewhere.get(spot, 0) + cents


UNKNOWN = Rules("", "{}")


class Rounds:
    """Is told of all ended rounds, those of other periods too, since each takes its time from the one before.

    `rules` and `croupier` are those of the round in play.
    """

    def __init__(self, period: Period) -> None:
        self._period = period
        self._kept: dict[int, Played] = {}
        self._last: float | None = None
        self.corrected: dict[int, int] = {}
        self.rules: Rules | None = None
        self.croupier = ""

    def follow(self, at: float | None) -> None:
        """The round before ended then; None: nobody knows."""
        self._last = at

    def end(self, at: float, ended: RoundEnded) -> None:
        """A round belongs to the period of its stamp, whatever the clock did before and after."""
        took = at - self._last if self._last is not None and at >= self._last else None
        self._last = at
        if self._period.holds(at):
            script = ended.script
            rules = Rules(script.game, json.dumps(script.options, sort_keys=True)) if script else self.rules
            self._kept[ended.round.number] = Played(at, took, self.croupier, rules or UNKNOWN, ended.round)

    def correct(self, note: RoundCorrected) -> None:
        """A round says otherwise from now on; one that had not ended will say so itself."""
        if note.ended is not None and note.number in self._kept:
            before = self._kept[note.number]
            self._kept[note.number] = replace(before, round=note.ended.round)
            self.corrected[note.number] = self.corrected.get(note.number, 0) + 1

    def all(self) -> list[Played]:
        """In the order in which they ended."""
        return list(self._kept.values())
