"""Refusals that come in numbers: the first of each kind is told at once, the others as a sum."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.access.store import Told

WINDOW = 60.0
"""Seconds whose further ones make one sum."""
MOST = 100
"""Kinds that are told apart at a time; all others are one: whoever comes from everywhere fills no disk."""


@dataclass(slots=True)
class _Counted:
    since: float
    told: Told
    more: int = 0


class Repeated:
    """`tell` takes what the journal is to know; `clock` never jumps."""

    def __init__(self, tell: Callable[[Told], None], clock: Callable[[], float]) -> None:
        self._tell, self._clock = tell, clock
        self._counted: dict[tuple[str, str, str], _Counted] = {}

    def hear(self, told: Told) -> None:
        """One more."""
        key = (told.what, told.who, told.address)
        if key not in self._counted and len(self._counted) >= MOST:
            told = replace(told, who="", role="", address="many addresses")
            key = (told.what, told.who, told.address)
        if known := self._counted.get(key):
            known.more += 1
            return
        self._counted[key] = _Counted(self._clock(), told)
        self._tell(told)

    def sum_up(self, window: float = WINDOW) -> None:
        """Tells the sums of windows that are over, which are so many seconds long."""
        now = self._clock()
        over = [key for key, known in self._counted.items() if now - known.since >= window]
        for known in map(self._counted.pop, over):
            if known.more:
                self._tell(replace(known.told, text=f"{known.more} more within a minute: {known.told.text}"))
