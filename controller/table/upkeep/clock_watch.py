"""The clock of the journal's stamps, watched against the one that never jumps.

A clock that is led slowly to the right time is never a second off between two looks.
"""

from collections.abc import Callable

from controller.table.record.causes import cause
from controller.table.record.events import Noticed
from controller.table.record.notes import ClockStepped

STEP = 1.0
"""Seconds: less is no step."""


class ClockWatch:
    """`wall` gives Unix time, `steady` seconds that never jump."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall, self._steady = wall, steady
        self._ahead = self._difference()

    def step(self) -> ClockStepped | None:
        """The step since the last look; None if nobody set the clock."""
        before, self._ahead = self._ahead, self._difference()
        seconds = self._ahead - before
        return ClockStepped(round(seconds, 3)) if abs(seconds) > STEP else None

    def behind(self, last: float) -> ClockStepped | None:
        """How far the clock is behind the last stamp of the journal; None if it is not."""
        seconds = self._wall() - last
        return ClockStepped(round(seconds, 3), asleep=True) if seconds < -STEP else None

    def _difference(self) -> float:
        return self._wall() - self._steady()


def step_notice(step: ClockStepped, now: float) -> Noticed:
    """A step of the clock in words. A clock that went back counts as behind until it passes the journal's
    last entry; `now` is what it shows, in Unix time."""
    if step.asleep:
        text = f"The clock is {_seconds(step)} behind the journal's last entry: set it"
        return Noticed(text, cause("clock", round(now - step.seconds)))
    way = "ahead" if step.seconds > 0 else "back"
    return Noticed(f"The clock was set {_seconds(step)} {way}: look whether it is right")


def _seconds(step: ClockStepped) -> str:
    return f"{abs(step.seconds):,.0f} s"
