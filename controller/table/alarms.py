"""Alerts that stay until a person has acknowledged them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from controller.table.notes import Alert, Note, Suspended

MOST_OPEN = 100
"""The oldest ones make room; all of them are in the journal."""
MOST_DONE = 50


@dataclass(frozen=True, slots=True)
class Alarm:
    """A sentence that somebody must have seen; one that is said again while it is open counts up.

    `first` and `last` are seconds of Unix time, `round` is the one in which it was said first.
    """

    number: int
    text: str
    first: float
    last: float
    count: int = 1
    round: int = 0


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """`who` has seen an alarm, at `at`, seconds of Unix time."""

    alarm: Alarm
    who: str
    at: float


@dataclass(slots=True)
class Alarms:
    """Those that are open, oldest first, and the last that were acknowledged, newest first."""

    open: tuple[Alarm, ...] = ()
    done: tuple[Acknowledgement, ...] = ()
    last: int = field(default=0)
    """The highest number that was given."""

    def hear(self, notes: Iterable[Note], at: float, round_number: int) -> None:
        """What followed from an input."""
        for note in notes:
            if isinstance(note, Alert):
                self._add(note.text, at, round_number)
            elif isinstance(note, Suspended):
                self._add(note.why, at, round_number)

    def acknowledge(self, number: int, who: str, at: float) -> None:
        """Somebody has seen it; raises LookupError with a sentence where there is none such to be seen."""
        alarm = next((alarm for alarm in self.open if alarm.number == number), None)
        if alarm is None:
            raise LookupError(self._absent(number))
        self.open = tuple(other for other in self.open if other is not alarm)
        self.done = (Acknowledgement(alarm, who, at), *self.done)[:MOST_DONE]

    def _absent(self, number: int) -> str:
        done = next((done for done in self.done if done.alarm.number == number), None)
        if done:
            return f"alert {number} was acknowledged by {done.who}"
        open_ones = ", ".join(str(alarm.number) for alarm in self.open) or "none"
        return f"there is no open alert {number}; open: {open_ones}"

    def _add(self, text: str, at: float, round_number: int) -> None:
        known = next((alarm for alarm in self.open if alarm.text == text), None)
        if known:
            again = replace(known, last=at, count=known.count + 1)
            self.open = tuple(again if alarm is known else alarm for alarm in self.open)
            return
        self.last += 1
        self.open = (*self.open, Alarm(self.last, text, at, at, 1, round_number))[-MOST_OPEN:]
