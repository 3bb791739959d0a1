"""Whether the uplink runs. What it reports of itself says nothing once it has ended."""

from collections.abc import Callable, Sequence
from typing import Final

from controller.table.record.events import Input
from controller.table.upkeep.satellite_reports import SatelliteReports

PATIENCE: Final = 10.0
"""Seconds without an uplink after which the table has an alert. Its own start takes less."""
MISSING: Final = "The uplink does not run: the floor sees nothing of this table. Start tableside-uplink"
ABOUT: Final = ("uplink", "shipping")
"""What an uplink reports about."""


class UplinkWatch:
    """Reports in place of an uplink that is not there. An uplink that connects reports how it is, which ends
    the alert. `is_connected`: whether one is connected to the table socket; `clock`: a monotonic clock in
    seconds; `expected`: whether the table has an uplink."""

    def __init__(
        self,
        reports: SatelliteReports,
        is_connected: Callable[[], bool],
        clock: Callable[[], float],
        *,
        expected: bool,
    ) -> None:
        self._reports, self._is_connected, self._clock = reports, is_connected, clock
        self._expected = expected
        self._seen = clock()

    def check(self) -> Sequence[Input]:
        """To be called before each check of the reports."""
        if not self._expected:
            for about in ABOUT:  # from a time when the table had one
                self._reports.take(about, "")
        elif self._is_connected():
            self._seen = self._clock()
        elif self._clock() - self._seen >= PATIENCE:
            self._reports.take("uplink", MISSING)
        return ()
