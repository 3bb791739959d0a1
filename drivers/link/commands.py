"""Commands of the host: their keys, the desired state of a device, and commands that wait for their
results."""

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

KEYS_USED_UP = "its keys are used up: format its memory"


def key_floor(known: int, seen: int) -> int:
    """Returns the key above which the host gives new keys.

    The host knows keys up to `known`, the device has seen keys up to `seen`. Known keys far above those
    that the device has seen come from another memory, or from a device that sent impossible numbers. This
    device would refuse them, so they do not count. State commands use up keys as well, so half of the step
    is left to them (section 8.1).
    """
    return seen if known > seen + STEP // 2 else max(known, seen)


class CommandKeys:
    """The keys of one device's commands, over all its sessions. They grow by one, and no key is used for
    two actions."""

    def __init__(self, highest: int = 0) -> None:
        self._highest = highest

    def next(self) -> int:
        """Returns a new key above all known ones. Raises DeviceFault when there is none left."""
        if self._highest >= HIGHEST:
            raise DeviceFault("keys", KEYS_USED_UP)
        self._highest += 1
        return self._highest

    def skip_to(self, key: int) -> None:
        """Makes new keys greater than `key`, which the journal knows."""
        self._highest = max(self._highest, key)

    def begin_session(self, seen: int) -> None:
        """Begins a session with a device that has seen action keys up to `seen`. Raises DeviceFault if too
        few keys are left for a session."""
        self._highest = key_floor(self._highest, seen)
        if self._highest > HIGHEST - STEP:
            raise DeviceFault("keys", KEYS_USED_UP)


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
"""Lasting state commands. Of two with the same key only the newer counts."""
MOMENTARY = (Buzz, Celebrate, Disarm, Stop)
"""State commands of a moment. They go out once in the session in which they were asked for, or never."""
MOST_MOMENTARY = 8


class DesiredState:
    """The desired state in one session, and which part of it the device has not been sent yet."""

    def __init__(self) -> None:
        self._wanted: dict[StateKey, CommandBody] = {}
        self._due: dict[StateKey, CommandBody] = {}
        self._momentary: deque[CommandBody] = deque(maxlen=MOST_MOMENTARY)
        self._renewal = inf

    def want(self, record: CommandBody) -> None:
        """Replaces the command of the same kind. Nothing is due if it is equal."""
        if isinstance(record, MOMENTARY):
            self._momentary.append(record)
            return
        key = STATE_KEYS[type(record)](record)
        if self._wanted.get(key) != record:
            self._wanted[key] = self._due[key] = record

    def next(self, now: float, *, permits: bool) -> CommandBody | None:
        """Returns the next command to send, the oldest first. Permits and moments only if `permits`."""
        self._renew(now)
        for key in self._due:
            if permits or key != PERMIT:
                return self._take(key, now)
        return self._momentary.popleft() if permits and self._momentary else None

    def deadline(self) -> float:
        """When the lease of the lamps is due for renewal."""
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
    """A command that was sent and not answered."""

    key: int
    record: CommandBody
    sent_at: float


class PendingCommands:
    """Commands without a result. Results come in the order of the commands."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._open: dict[int, PendingCommand] = {}

    @property
    def actions(self) -> int:
        """How many actions are unanswered."""
        return sum(isinstance(question.record, ACTIONS) for question in self._open.values())

    def add(self, command: PendingCommand) -> None:
        self._open[command.key] = command

    def take(self, key: int) -> PendingCommand | None:
        """Removes and returns the command that a result answers. None if there is none."""
        return self._open.pop(key, None)

    def overdue(self, now: float) -> PendingCommand | None:
        """Returns the oldest command if its result is overdue."""
        return self._oldest() if now >= self.deadline() else None

    def deadline(self) -> float:
        oldest = self._oldest()
        return oldest.sent_at + self._limit if oldest else inf

    def _oldest(self) -> PendingCommand | None:
        return next(iter(self._open.values()), None)
