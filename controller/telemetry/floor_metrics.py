"""Metrics about the floor, at a table that belongs to one."""

from collections.abc import Callable, Iterator

from controller.telemetry.prometheus.family import Family, gauge


class FloorCollector:
    """`connected`: whether an uplink is connected to the table socket; `disclosed`: the last row that may
    leave the table; `stored`: the last one that the floor has acknowledged, 0 if nothing is known."""

    def __init__(
        self, connected: Callable[[], bool], disclosed: Callable[[], int], stored: Callable[[], int]
    ) -> None:
        self._connected, self._disclosed, self._stored = connected, disclosed, stored

    def collect(self) -> Iterator[Family]:
        connected = float(self._connected())
        yield gauge("tableside_uplink_connected", "1 while the uplink runs and reaches the table", connected)
        yield gauge(
            "tableside_floor_disclosed_row", "The last row that may leave the table", self._disclosed()
        )
        yield gauge(
            "tableside_floor_stored_row", "The last row that the floor has acknowledged", self._stored()
        )
