"""The metrics of the bridge, in a file that a collector of text files reads: the bridge serves nothing."""

from pathlib import Path
from typing import Final

from controller.config.bridge import EVENT_NAMES, EventName
from controller.telemetry.prometheus.instruments import Counter, Gauge
from controller.telemetry.prometheus.registry import CollectorRegistry

FILE: Final = "bridge.prom"
MODE: Final = 0o644
RECEIVER: Final = ("receiver",)


class BridgeMetrics:
    """What was sent to each receiver, by the receiver's name."""

    def __init__(self, receivers: tuple[str, ...]) -> None:
        self._registry = registry = CollectorRegistry()
        self._core = Gauge(
            "tableside_bridge_core_up", "1 while the table's daemon answers", registry=registry
        )
        self._up = Gauge(
            "tableside_bridge_up", "1 while events reach the receiver", RECEIVER, registry=registry
        )
        self._events = Counter(
            "tableside_bridge_events_total", "Delivered events", ("receiver", "event"), registry=registry
        )
        self._failures = Counter(
            "tableside_bridge_failures_total", "Failed attempts to deliver", RECEIVER, registry=registry
        )
        self._row = Gauge(
            "tableside_bridge_row", "The last row whose event was delivered", RECEIVER, registry=registry
        )
        self._behind = Gauge(
            "tableside_bridge_rows_behind",
            "Rows that the receiver does not have yet",
            RECEIVER,
            registry=registry,
        )
        self._sent = dict.fromkeys(receivers, 0)
        for name in receivers:
            self._up.set(0, name)
            self._failures.begin(name)
            for event in EVENT_NAMES:
                self._events.begin(name, event)

    def core(self, answers: bool) -> None:
        self._core.set(answers)

    def up(self, receiver: str, reached: bool) -> None:
        self._up.set(reached, receiver)

    def delivered(self, receiver: str, event: EventName) -> None:
        self._sent[receiver] += 1
        self._events.add(receiver, event)

    def sent(self, receiver: str) -> int:
        """How many events were delivered."""
        return self._sent[receiver]

    def failed(self, receiver: str) -> None:
        self._failures.add(receiver)

    def reached(self, receiver: str, row: int, last: int) -> None:
        self._row.set(row, receiver)
        self._behind.set(last - row, receiver)

    def write(self, folder: Path) -> None:
        """Replace the file as a whole. Raises OSError."""
        fresh = folder / f"{FILE}.new"
        fresh.write_text(self._registry.text(), "utf-8")
        fresh.chmod(MODE)
        fresh.replace(folder / FILE)
