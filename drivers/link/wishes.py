"""What a device shall be: the newest state command of each kind, and which of them it was not told yet."""

from collections import deque
from collections.abc import Callable
from math import inf
from typing import Any

from drivers.messages import (
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

Kind = tuple[str, int]

PERMIT: Kind = ("permit", 0)
LAMPS: Kind = ("lamps", 0)
KINDS: dict[type, Callable[[Any], Kind]] = {
    Permit: lambda _: PERMIT,
    Lock: lambda _: PERMIT,
    Lamps: lambda _: LAMPS,
    Level: lambda level: ("level", level.id),
    Text: lambda text: ("text", text.line),
    Prompt: lambda _: ("prompt", 0),
    KeyLamps: lambda _: ("key lamps", 0),
}
"""State commands that stand: of two of the same kind only the newer counts."""
MOMENTS = (Buzz, Celebrate, Disarm, Stop)
"""State commands of a moment: told once in this session or never."""
MOST_MOMENTS = 8


class Wishes:
    """The wishes of one session: at its start the device was told nothing."""

    def __init__(self) -> None:
        self._wanted: dict[Kind, CommandBody] = {}
        self._due: dict[Kind, CommandBody] = {}
        self._moments: deque[CommandBody] = deque(maxlen=MOST_MOMENTS)
        self._renewal = inf

    def want(self, record: CommandBody) -> None:
        """Replaces what was wanted of this kind; nothing is due when it is the same."""
        if isinstance(record, MOMENTS):
            self._moments.append(record)
            return
        kind = KINDS[type(record)](record)
        if self._wanted.get(kind) != record:
            self._wanted[kind] = self._due[kind] = record

    def next(self, now: float, *, permits: bool) -> CommandBody | None:
        """The next one to tell the device, oldest wish first; permits and moments only where asked for."""
        self._renew(now)
        for kind in self._due:
            if permits or kind != PERMIT:
                return self._told(kind, now)
        return self._moments.popleft() if permits and self._moments else None

    def deadline(self) -> float:
        """When a lease is to be renewed."""
        return self._renewal

    def _renew(self, now: float) -> None:
        if now >= self._renewal:
            self._renewal = inf
            self._due.setdefault(LAMPS, self._wanted[LAMPS])

    def _told(self, kind: Kind, now: float) -> CommandBody:
        record = self._due.pop(kind)
        if isinstance(record, Lamps):
            self._renewal = now + record.ttl_ms / 2000  # half the lease is left for the line
        return record
