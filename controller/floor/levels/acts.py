"""What two persons decided about a level, as the level's log has it."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.jackpot.linked.entries import (
    Admitted,
    Alarm,
    Corrected,
    Decided,
    LogEntry,
    ParametersSet,
    Removed,
    Resolved,
    Settled,
)

Done = Admitted | Removed | ParametersSet | Corrected | Settled | Resolved
"""What two persons decided, and the level did."""


@dataclass(frozen=True, slots=True)
class LevelAct:
    """Entry `n` of the log answers what two persons decided: it is done, or an alarm says why not. `at`:
    seconds of Unix time."""

    n: int
    at: float
    outcome: Done | Alarm

    @property
    def id(self) -> str:
        return self.outcome.id

    @property
    def refused(self) -> str:
        """Why it was not done; empty if it was."""
        return self.outcome.why if isinstance(self.outcome, Alarm) else ""


def acts_in(entries: Iterable[LogEntry]) -> tuple[LevelAct, ...]:
    """The acts that these entries answer."""
    return tuple(
        LevelAct(entry.n, entry.at, outcome)
        for entry in entries
        for outcome in entry.out
        if isinstance(outcome, Decided) or (isinstance(outcome, Alarm) and outcome.id)
    )
