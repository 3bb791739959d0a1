"""What was wagered in this shift, and what the house kept of it, for the status that the floor gets."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.calendar import Calendar, Period
from controller.property.status import NO_SHIFT, StatusShift
from controller.table.record.notes import RoundEnded
from controller.table.state.table_state import TableState

EndedRounds = Mapping[int, tuple[RoundEnded, float]]
"""By number, each with the Unix time at which it ended."""


@dataclass(frozen=True, slots=True)
class _Figures:
    """Of one round, which ended at `at`; cents."""

    ended: RoundEnded
    at: float
    wagered: int
    hold: int


class ShiftFigures:
    """Counts the settled rounds of this shift by the clock of the house. Wagers that no sensor could value do
    not count. `before`: returns the rounds that have ended since a Unix time, by number, and when each ended;
    it is asked once, because the table's state has the last 50 only."""

    def __init__(
        self, calendar: Calendar, before: Callable[[float], EndedRounds] = lambda _since: {}
    ) -> None:
        self._calendar, self._before = calendar, before
        self._shift: Period | None = None
        self._rounds: dict[int, _Figures] = {}
        self._sum = NO_SHIFT

    async def use(self, calendar: Calendar, now: float) -> None:
        """Go by this calendar from now on. The rounds of its shift at the Unix time `now` are read in a
        thread, because the table plays meanwhile."""
        if calendar == self._calendar:
            return
        shift = _shift_of(calendar, now)
        ended = await asyncio.to_thread(self._before, shift.begins)
        self._calendar, self._shift = calendar, shift
        self._rounds |= {number: _figures(one, at) for number, (one, at) in ended.items()}
        self._add_up(shift)

    def at(self, state: TableState, now: float) -> StatusShift:
        """The figures of the shift at this Unix time."""
        shift = self._shift if self._shift and self._shift.holds(now) else _shift_of(self._calendar, now)
        changed = shift is not self._shift
        if self._shift is None:
            ended = self._before(shift.begins)
            self._rounds = {number: _figures(one, at) for number, (one, at) in ended.items()}
        self._shift = shift
        if self._take(state, shift) or changed:
            self._add_up(shift)
        return self._sum

    def _add_up(self, shift: Period) -> None:
        self._rounds = {number: one for number, one in self._rounds.items() if shift.holds(one.at)}
        self._sum = StatusShift(
            wagered=sum(one.wagered for one in self._rounds.values()),
            hold=sum(one.hold for one in self._rounds.values()),
        )

    def _take(self, state: TableState, shift: Period) -> bool:
        """Take rounds that are new, or were corrected. Returns whether there were any."""
        taken = False
        for ended, at in zip(state.ended_rounds, state.shift.round_ends, strict=False):
            known = self._rounds.get(ended.round.number)
            if shift.holds(at) and (known is None or known.ended is not ended):
                self._rounds[ended.round.number] = _figures(ended, at)
                taken = True
        return taken


def _shift_of(calendar: Calendar, now: float) -> Period:
    shifts = calendar.shifts_of(calendar.day_of(now))
    return next((shift for shift in shifts if shift.holds(now)), shifts[-1])


def _figures(ended: RoundEnded, at: float) -> _Figures:
    lines = ended.round.lines if ended.round.outcome == "settled" else ()
    known = [(line.amount, line.paid) for line in lines if line.amount is not None and line.paid is not None]
    return _Figures(ended, at, sum(amount for amount, _ in known), -sum(paid for _, paid in known))
