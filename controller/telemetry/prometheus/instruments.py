"""Counters, gauges and histograms that change while the table plays.

They are not safe for threads: all of a table's metrics change in its event loop. Each series has one number,
or a list of them, by the values of its labels. A metric without labels exists from 0 on; a series with labels
exists from `begin` or from its first change on.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain

from controller.telemetry.prometheus.exposition import number
from controller.telemetry.prometheus.family import (
    Family,
    Kind,
    MetricError,
    Sample,
    check_labels,
    check_name,
    labelled,
    pairs,
)
from controller.telemetry.prometheus.registry import CollectorRegistry


class Counter:
    """A number that only grows."""

    def __init__(
        self, name: str, help_text: str, labels: tuple[str, ...] = (), *, registry: CollectorRegistry
    ) -> None:
        _check(name, "counter", labels)
        self._name, self._help_text, self._labels = name, help_text, labels
        self._series: dict[tuple[str, ...], float] = {} if labels else {(): 0.0}
        registry.register(self)

    def begin(self, *labels: str) -> None:
        """Show the series with these labels from now on, with 0."""
        pairs(self._name, self._labels, labels)
        self._series.setdefault(labels, 0.0)

    def add(self, *labels: str, amount: float = 1.0) -> None:
        """Add to the series with these labels. Raises MetricError for a negative amount or wrong labels."""
        if amount < 0:
            raise MetricError(f"the counter {self._name} cannot count {amount}")
        if labels not in self._series:
            self.begin(*labels)
        self._series[labels] += amount

    def collect(self) -> Iterator[Family]:
        yield labelled("counter", self._name, self._help_text, self._labels, self._series.items())


class Gauge:
    """A number that goes up and down."""

    def __init__(
        self, name: str, help_text: str, labels: tuple[str, ...] = (), *, registry: CollectorRegistry
    ) -> None:
        _check(name, "gauge", labels)
        self._name, self._help_text, self._labels = name, help_text, labels
        self._series: dict[tuple[str, ...], float] = {} if labels else {(): 0.0}
        registry.register(self)

    def set(self, value: float, *labels: str) -> None:
        """Set the series with these labels. Raises MetricError for wrong labels."""
        pairs(self._name, self._labels, labels)
        self._series[labels] = value

    def collect(self) -> Iterator[Family]:
        yield labelled("gauge", self._name, self._help_text, self._labels, self._series.items())


class Histogram:
    """How often values were at most as large as each of some bounds, in increasing order."""

    def __init__(
        self,
        name: str,
        help_text: str,
        labels: tuple[str, ...] = (),
        *,
        bounds: Iterable[float],
        registry: CollectorRegistry,
    ) -> None:
        _check(name, "histogram", labels)
        self._name, self._help_text, self._labels = name, help_text, labels
        self._bounds = (*bounds, math.inf)
        if any(low >= high for low, high in zip(self._bounds, self._bounds[1:], strict=False)):
            raise MetricError(f"the bounds of {name} do not increase to a finite number: {self._bounds}")
        self._series: dict[tuple[str, ...], _Observed] = {} if labels else {(): _Observed(len(self._bounds))}
        registry.register(self)

    def begin(self, *labels: str) -> None:
        """Show the series with these labels from now on, with 0."""
        pairs(self._name, self._labels, labels)
        self._series.setdefault(labels, _Observed(len(self._bounds)))

    def observe(self, value: float, *labels: str) -> None:
        """Count one value. Raises MetricError for wrong labels."""
        if labels not in self._series:
            self.begin(*labels)
        observed = self._series[labels]
        observed.counts[bisect_left(self._bounds, value)] += 1
        observed.sum += value

    def collect(self) -> Iterator[Family]:
        samples = chain.from_iterable(self._samples(*series) for series in self._series.items())
        yield Family(self._name, "histogram", self._help_text, tuple(samples))

    def _samples(self, key: tuple[str, ...], observed: "_Observed") -> Iterator[Sample]:
        labels = pairs(self._name, self._labels, key)
        total = 0
        for bound, count in zip(self._bounds, observed.counts, strict=True):
            total += count
            yield Sample({**labels, "le": number(bound)}, total, "_bucket")
        yield Sample(labels, total, "_count")
        yield Sample(labels, observed.sum, "_sum")


class _Observed:
    """`counts`: how many values fell between two bounds."""

    __slots__ = ("counts", "sum")

    def __init__(self, buckets: int) -> None:
        self.counts, self.sum = [0] * buckets, 0.0


def _check(name: str, kind: Kind, labels: tuple[str, ...]) -> None:
    check_name(name, kind)
    check_labels(name, labels)
