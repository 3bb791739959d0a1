"""Alerts that stay open until a person acknowledges them, and that record when their cause ends."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

MOST_OPEN = 100
"""If more are raised, the oldest are dropped; the journal contains all of them."""
MOST_ACKNOWLEDGED = 50


@dataclass(frozen=True, slots=True)
class Alarm:
    """A sentence that a person must acknowledge. If it is raised again while it is open, its count goes up.

    `first` and `last` are the times at which it was raised, in Unix time; `round` is the round in which it
    was raised first.
    """

    number: int
    text: str
    first: float
    last: float
    count: int = 1
    round: int = 0
    cause: str = ""
    """A causes.Cause; empty in alerts of older versions."""
    ended: float | None = None
    """When its cause ended, in Unix time; None if it has not ended or cannot end."""


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """`who` acknowledged an alarm at `at`, in seconds of Unix time."""

    alarm: Alarm
    who: str
    at: float


@dataclass(slots=True)
class Alarms:
    """The open alarms, oldest first, and the last acknowledged ones, newest first."""

    open: tuple[Alarm, ...] = ()
    done: tuple[Acknowledgement, ...] = ()
    last: int = field(default=0)
    """The highest number that was given."""

    def add(self, cause: str, text: str, at: float, round_number: int) -> None:
        """Raise an alert. If the same sentence is open, its count goes up and its cause is present again."""
        known = next((alarm for alarm in self.open if alarm.text == text), None)
        if known:
            again = replace(known, last=at, count=known.count + 1, cause=cause, ended=None)
            self.open = tuple(again if alarm is known else alarm for alarm in self.open)
            return
        self.last += 1
        alarm = Alarm(self.last, text, at, at, 1, round_number, cause)
        self.open = (*self.open, alarm)[-MOST_OPEN:]

    def end(self, has_ended: Callable[[Alarm], bool], at: float) -> None:
        """Mark the causes of alerts for which `has_ended` is true as ended, also of acknowledged alerts."""

        def now(alarm: Alarm) -> Alarm:
            return replace(alarm, ended=at) if alarm.ended is None and has_ended(alarm) else alarm

        self.open = tuple(map(now, self.open))
        self.done = tuple(
            done if (alarm := now(done.alarm)) is done.alarm else replace(done, alarm=alarm)
            for done in self.done
        )

    def is_present(self, cause: str) -> bool:
        """Whether an open alert has this cause, and the cause has not ended."""
        return any(alarm.cause == cause and alarm.ended is None for alarm in self.open)

    def has_ended(self, text: str) -> bool:
        """Whether the cause of the newest alert with this text has ended."""
        alarms = (*reversed(self.open), *(done.alarm for done in self.done))
        newest = next((alarm for alarm in alarms if alarm.text == text), None)
        return newest is not None and newest.ended is not None

    def acknowledge(self, number: int, who: str, at: float) -> None:
        """Acknowledge an open alert. Raises LookupError with a sentence if no open alert has this number."""
        alarm = next((alarm for alarm in self.open if alarm.number == number), None)
        if alarm is None:
            raise LookupError(self._absent(number))
        self.open = tuple(other for other in self.open if other is not alarm)
        self.done = (Acknowledgement(alarm, who, at), *self.done)[:MOST_ACKNOWLEDGED]

    def _absent(self, number: int) -> str:
        done = next((done for done in self.done if done.alarm.number == number), None)
        if done:
            return f"alert {number} was acknowledged by {done.who}"
        open_ones = ", ".join(str(alarm.number) for alarm in self.open) or "none"
        return f"there is no open alert {number}; open: {open_ones}"
