"""The collectors of one process, and what they collect together."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from controller.telemetry.prometheus.exposition import exposition
from controller.telemetry.prometheus.family import Family, MetricError


class Collector(Protocol):
    """Whatever has metrics."""

    def collect(self) -> Iterable[Family]:
        """The metrics as they are now."""


class CollectorRegistry:
    """Collectors in the order in which they were registered."""

    def __init__(self) -> None:
        self._collectors: list[Collector] = []

    def register(self, collector: Collector) -> None:
        self._collectors.append(collector)

    def collect(self) -> Iterator[Family]:
        """The metrics of all collectors. Raises MetricError if two have the same name."""
        names: set[str] = set()
        for family in (family for collector in self._collectors for family in collector.collect()):
            if family.name in names:
                raise MetricError(f"two metrics have the name {family.name}")
            names.add(family.name)
            yield family

    def text(self) -> str:
        """The metrics as Prometheus reads them. Raises MetricError as `collect` does."""
        return exposition(self.collect())
