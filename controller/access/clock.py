"""Unix time for sessions and locks, which do not become longer when somebody sets the clock back."""

from collections.abc import Callable

from controller.access.errors import AccountsUnusable

TOLERANCE = 1.0
"""Seconds by which the two clocks may drift apart between two readings."""


class AccessClock:
    """`wall`: Unix time; `steady`: a monotonic clock; `latest`: the latest stored time, 0 for none; all in
    seconds. When the wall clock has been set back, even while the daemon was down, `set_back` gets the
    seconds, and subtracts them from every stored time before anybody compares it.

    While `set_back` raises AccountsUnusable, for example on a full disk, this clock goes on as if it had not
    been set back.
    """

    def __init__(
        self,
        wall: Callable[[], float],
        steady: Callable[[], float],
        set_back: Callable[[float], None],
        latest: float = 0.0,
    ) -> None:
        self._wall, self._steady, self._set_back = wall, steady, set_back
        self._ahead = max(wall(), latest) - steady()
        self._behind = 0.0

    def __call__(self) -> float:
        wall, ahead = self._wall(), self._ahead
        self._ahead = wall - self._steady()
        if ahead - self._ahead > TOLERANCE:
            self._behind += ahead - self._ahead
        if self._behind:
            self._catch_up()
        return wall + self._behind

    def _catch_up(self) -> None:
        try:
            self._set_back(self._behind)
        except AccountsUnusable:
            return
        self._behind = 0.0
