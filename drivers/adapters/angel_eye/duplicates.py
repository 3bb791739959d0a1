"""Which messages are further copies, and where a message may be missing.

A shoe sends each message up to three times. Sequence number and content identify a copy. The filter is
reset at the shoe's start and after a silence, because the first message after a reboot may have the last
number.
"""

from dataclasses import dataclass
from math import inf

from drivers.adapters.angel_eye.frames import Message

COPIES = 3
FORGET = 2.0
"""Seconds after which the same bytes are a new message."""
BURST = 0.25
"""Seconds within which the copies of a message follow each other."""
DUE = 1.0
"""Seconds within which a message must follow noise and explain it."""
START = "S"


@dataclass(frozen=True, slots=True)
class MessageCheck:
    """Whether a message is new. `doubt` says why one before it may be missing, or is empty."""

    new: bool
    doubt: str = ""


class DuplicateFilter:
    """Takes every message and every noise of one line.

    With `counts` the numbers grow by one and fall back at one place only, so a jump shows a loss. No source
    says that they do.
    """

    def __init__(self, *, counts: bool) -> None:
        self._counts = counts
        self._last: Message | None = None
        self._at = -inf
        self._copies = self._spoilt = 0
        self._before: int | None = None
        """The number before the next one. None: any number may come."""
        self._wrap: tuple[int, int] | None = None
        """Where the numbers fell back."""
        self._due = inf

    def noise(self, now: float) -> None:
        """Takes noise: a damaged copy, or a message that is lost."""
        self._spoilt += 1
        in_burst = now - self._at <= BURST and self._copies + self._spoilt <= COPIES
        if not in_burst:
            self._due = min(self._due, now + DUE)

    def overdue(self, now: float) -> str:
        """Says why a message may be missing since the last noise, or is empty."""
        if now < self._due:
            return ""
        self._due, self._spoilt = inf, 0
        return "bytes came that are not a message, and none after them"

    def deadline(self) -> float:
        return self._due

    def check(self, message: Message, now: float) -> MessageCheck:
        self._due = inf
        if message == self._last and now - self._at <= FORGET:
            return self._copy(now)
        verdict = MessageCheck(True, "" if message.code == START else self._gap(message.sequence))
        self._last, self._at, self._copies, self._spoilt = message, now, 1, 0
        self._before = None if message.code == START else message.sequence
        return verdict

    def _copy(self, now: float) -> MessageCheck:
        self._at, self._spoilt = now, 0
        self._copies += 1
        many = f"the same message came {self._copies} times: one of them may be another"
        return MessageCheck(False, many if self._copies == COPIES + 1 else "")

    def _gap(self, sequence: int) -> str:
        before = self._before
        if before is None or (self._counts and sequence == before + 1):
            return ""
        if sequence == before:
            return f"another message came with the number {sequence} of the last one"
        if not self._counts:
            return "bytes came that are not a message" if self._spoilt else ""
        return self._jump(before, sequence)

    def _jump(self, before: int, sequence: int) -> str:
        step = before, sequence
        if sequence > before:
            return f"the numbers jumped from {before} to {sequence}"
        usual = not self._spoilt and self._wrap in (None, step)
        self._wrap = step
        return "" if usual else f"the numbers fell back from {before} to {sequence}"
