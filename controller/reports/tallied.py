"""The rounds of a period, each by its last word."""

import json
from dataclasses import replace

from controller.reports.facts import Played, Rules
from controller.reports.periods import Period
from controller.table.notes import RoundCorrected, RoundEnded

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
