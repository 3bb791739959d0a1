"""What satellites report about themselves, as alerts of the table."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Final

from controller.table.apply.conditions import PAGE, SHIPPING, UPLINK, notice_of_change
from controller.table.record.causes import Cause
from controller.table.record.events import Input, Noticed
from controller.table.state.table_state import TableState
from controller.table.upkeep.disk_space import PERIOD

REPORTED: Final[Mapping[str, Cause]] = {"page": PAGE, "uplink": UPLINK, "shipping": SHIPPING}
"""The cause of the alert about what a satellite reports."""


class SatelliteReports:
    """The alert changes at most once in PERIOD seconds, to the last report: false reports must not fill the
    journal. `deliver` gets inputs of the table; `clock` is a monotonic clock in seconds."""

    def __init__(
        self, state: TableState, deliver: Callable[[Input], None], clock: Callable[[], float]
    ) -> None:
        self._state, self._deliver, self._clock = state, deliver, clock
        self._last: dict[str, str] = {}
        self._delivered = -inf

    def take(self, about: str, why: str) -> None:
        """A satellite says how it is; `why` is empty if all is well."""
        self._last[about] = why
        if self._clock() - self._delivered >= PERIOD:
            for changed in self.check():
                self._deliver(changed)

    def check(self) -> list[Noticed]:
        """What has changed since the last alert. To be called every PERIOD seconds."""
        notices = (notice_of_change(self._state, REPORTED[about], why) for about, why in self._last.items())
        changed = [notice for notice in notices if notice]
        if changed:
            self._delivered = self._clock()
        return changed
