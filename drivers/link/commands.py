"""Keys of commands: they grow by one and are never used for a second action.

What a device shall be: the newest state command of each kind, and which of them it was not told yet.

Commands that wait for their results.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from drivers.errors import DeviceFault
from drivers.link.limits import HIGHEST, STEP
from drivers.messages import (
    ACTIONS,
    Buzz,
    Celebrate,
    CommandBody,
    Disarm,
    KeyLamps,
    Lamps,
    Level,
    Lock,
    Permit,
    Prompt,
    Stop,
    Text,
)


def key_floor(known: int, seen: int) -> int:
    """The key above which new keys are given, if we know keys up to `known` and the device has seen keys up
    to `seen`.

    Known keys far above what the device has seen come from another memory, or from a device that sent
    impossible numbers. This device would refuse them, so they do not count. State commands use keys up, too,
    so half of the step is left to them.
    """
    return seen if known > seen + STEP // 2 else max(known, seen)


class CommandKeys:
    """One count for a device's commands, over all its sessions."""

    def __init__(self, highest: int = 0) -> None:
        self._highest = highest

    def next(self) -> int:
        """A new key above all known ones. Raises DeviceFault when there is none left."""
        if self._highest >= HIGHEST:
            raise DeviceFault("keys", "its keys are used up: format its memory")
        self._highest += 1
        return self._highest

    def skip_to(self, key: int) -> None:
        """The journal knows `key`: new keys are above it."""
        self._highest = max(self._highest, key)

    def begin_session(self, seen: int) -> None:
        """A session begins with a device that has seen the action keys up to `seen`."""
        self._highest = key_floor(self._highest, seen)


StateKey = tuple[str, int]

PERMIT: StateKey = ("permit", 0)
LAMPS: StateKey = ("lamps", 0)
STATE_KEYS: dict[type, Callable[[Any], StateKey]] = {
    Permit: lambda _: PERMIT,
    Lock: lambda _: PERMIT,
    Lamps: lambda _: LAMPS,
    Level: lambda level: ("level", level.id),
    Text: lambda text: ("text", text.line),
    Prompt: lambda _: ("prompt", 0),
    KeyLamps: lambda _: ("key lamps", 0),
}
"""State commands that stand: of two of the same kind only the newer counts."""
MOMENTARY = (Buzz, Celebrate, Disarm, Stop)
"""State commands of a moment: told once in this session or never."""
MOST_MOMENTARY = 8


class DesiredState:
    """The wishes of one session: at its start the device was told nothing."""

    def __init__(self) -> None:
        self._wanted: dict[StateKey, CommandBody] = {}
        self._due: dict[StateKey, CommandBody] = {}
        self._momentary: deque[CommandBody] = deque(maxlen=MOST_MOMENTARY)
        self._renewal = inf

    def want(self, record: CommandBody) -> None:
        """Replaces what was wanted of this kind; nothing is due when it is the same."""
        if isinstance(record, MOMENTARY):
            self._momentary.append(record)
            return
        key = STATE_KEYS[type(record)](record)
        if self._wanted.get(key) != record:
            self._wanted[key] = self._due[key] = record

    def next(self, now: float, *, permits: bool) -> CommandBody | None:
        """The next one to tell the device, oldest wish first; permits and moments only where asked for."""
        self._renew(now)
        for key in self._due:
            if permits or key != PERMIT:
                return self._take(key, now)
        return self._momentary.popleft() if permits and self._momentary else None

    def deadline(self) -> float:
        """When a lease is to be renewed."""
        return self._renewal

    def _renew(self, now: float) -> None:
        if now >= self._renewal:
            self._renewal = inf
            self._due.setdefault(LAMPS, self._wanted[LAMPS])

    def _take(self, key: StateKey, now: float) -> CommandBody:
        record = self._due.pop(key)
        if isinstance(record, Lamps):
            self._renewal = now + record.ttl_ms / 2000  # half the lease is left for the line
        return record


@dataclass(frozen=True, slots=True)
class PendingCommand:
    """A command on its way, and since when."""

    key: int
    record: CommandBody
    sent_at: float


class PendingCommands:
    """What a device owes us an answer to; results come in the order of the commands."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._open: dict[int, PendingCommand] = {}

    @property
    def actions(self) -> int:
        """How many of them are actions."""
        return sum(isinstance(question.record, ACTIONS) for question in self._open.values())

    def add(self, command: PendingCommand) -> None:
        """Note it as sent."""
        self._open[command.key] = command

    def take(self, key: int) -> PendingCommand | None:
        """Take out what a result belongs to; None: nobody asked."""
        return self._open.pop(key, None)

    def overdue(self, now: float) -> PendingCommand | None:
        """The oldest one, when its time is up."""
        return self._oldest() if now >= self.deadline() else None

    def deadline(self) -> float:
        """When the oldest one becomes overdue."""
        oldest = self._oldest()
        return oldest.sent_at + self._limit if oldest else inf

    def _oldest(self) -> PendingCommand | None:
        return next(iter(self._open.values()), None)
