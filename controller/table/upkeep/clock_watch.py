"""Detects steps of the system clock, which dates the journal's rows, by comparison with a monotonic clock.

A clock that is adjusted slowly never moves by a second between two checks and counts as no step.
"""

from collections.abc import Callable

from controller.table.record.causes import cause
from controller.table.record.events import Noticed
from controller.table.record.notes import ClockStepped

STEP = 1.0
"""A difference of more than this, in seconds, is a step."""


class ClockWatch:
    """`wall` returns Unix time, `steady` the seconds of a monotonic clock."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall, self._steady = wall, steady
        self._ahead = self._difference()

    def step(self) -> ClockStepped | None:
        """The step since the last call; None if the clock was not set."""
        before, self._ahead = self._ahead, self._difference()
        seconds = self._ahead - before
        return ClockStepped(round(seconds, 3)) if abs(seconds) > STEP else None

    def behind(self, last: float) -> ClockStepped | None:
        """How far the clock is behind `last`, the journal's last timestamp; None if it is not more than STEP
        behind."""
        seconds = self._wall() - last
        return ClockStepped(round(seconds, 3), asleep=True) if seconds < -STEP else None

    def _difference(self) -> float:
        return self._wall() - self._steady()


def step_notice(step: ClockStepped, now: float) -> Noticed:
    """The alert for a step of the clock. `now` is the clock's time, in Unix time.

    If the clock is behind the journal's last entry, the alert's cause holds the time of that entry, at which
    the cause ends.
    """
    if step.asleep:
        text = f"The clock is {_seconds(step)} behind the journal's last entry: set it"
        return Noticed(text, cause("clock", round(now - step.seconds)))
    way = "ahead" if step.seconds > 0 else "back"
    return Noticed(f"The clock was set {_seconds(step)} {way}: look whether it is right")


def _seconds(step: ClockStepped) -> str:
    return f"{abs(step.seconds):,.0f} s"
