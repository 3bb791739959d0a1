"""Jackpots' meters along the rows: what they showed before and after a period, and what moved them."""

from collections.abc import Mapping
from typing import Any, cast

from controller.jackpot import UNITS, Books
from controller.reports.facts import Facts, Moved, Stood
from controller.table.notes import MeterMoved
from controller.table.records import whole

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
