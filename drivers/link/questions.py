"""Commands that wait for their results."""

from dataclasses import dataclass
from math import inf

from drivers.messages import ACTIONS, CommandBody


@dataclass(frozen=True, slots=True)
class Question:
    """A command on its way, and since when."""

    key: int
    record: CommandBody
    since: float


class Questions:
    """What a device owes us an answer to; results come in the order of the commands."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._open: dict[int, Question] = {}

    @property
    def actions(self) -> int:
        """How many of them are actions."""
        return sum(isinstance(question.record, ACTIONS) for question in self._open.values())

    def ask(self, question: Question) -> None:
        """Note it as sent."""
        self._open[question.key] = question

    def answered(self, key: int) -> Question | None:
        """Take out what a result belongs to; None: nobody asked."""
        return self._open.pop(key, None)

    def overdue(self, now: float) -> Question | None:
        """The oldest one, when its time is up."""
        return self._oldest() if now >= self.deadline() else None

    def deadline(self) -> float:
        """When the oldest one becomes overdue."""
        oldest = self._oldest()
        return oldest.since + self._limit if oldest else inf

    def _oldest(self) -> Question | None:
        return next(iter(self._open.values()), None)
