"""How often a device tells of an attack: an attacker must not fill its ring."""

from math import inf

TAMPER_EVERY = 60.0


class TamperAlarm:
    """Tells of one cause of tamper events at most once in a minute, with what came since the last time."""

    def __init__(self) -> None:
        self._reported_at = -inf
        self._count = 0

    def due(self, times: int, now: float) -> int:
        """The attack was seen `times` more: how many to tell of now; 0: later."""
        self._count += times
        if now - self._reported_at < TAMPER_EVERY:
            return 0
        count, self._count, self._reported_at = self._count, 0, now
        return count
