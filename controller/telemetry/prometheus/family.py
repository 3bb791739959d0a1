"""Metric families: what one scrape says about one metric, checked when it is built.

Names follow https://prometheus.io/docs/concepts/data_model/.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["counter", "gauge", "histogram"]

METRIC_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
LABEL_NAME = re.compile(r"(?!__)[a-zA-Z_][a-zA-Z0-9_]*")
TOTAL = "_total"
"""How the name of each counter ends, and of nothing else."""
RESERVED_LABELS = frozenset({"le", "quantile"})
"""Labels that histograms and summaries give to their own samples."""


class MetricError(ValueError):
    """A metric breaks the rules of Prometheus; always our own bug."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One value. `suffix` follows the name of the family, as in `_bucket`."""

    labels: Mapping[str, str]
    value: float
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """All samples of one metric. The constructor raises MetricError if Prometheus would refuse the name."""

    name: str
    """As in queries: the name of a counter ends with TOTAL."""
    kind: Kind
    help_text: str
    samples: tuple[Sample, ...]

    def __post_init__(self) -> None:
        check_name(self.name, self.kind)


def gauge(name: str, help_text: str, value: float) -> Family:
    """A gauge without labels."""
    return Family(name, "gauge", help_text, (Sample({}, value),))


def counter(name: str, help_text: str, value: float) -> Family:
    """A counter without labels."""
    return Family(name, "counter", help_text, (Sample({}, value),))


def labelled(
    kind: Literal["counter", "gauge"],
    name: str,
    help_text: str,
    labels: tuple[str, ...],
    values: Iterable[tuple[tuple[str, ...], float]],
) -> Family:
    """A family with labels. `values`: the values of the labels, in the order of `labels`, with the number.

    Raises MetricError if a number has too few or too many labels.
    """
    check_labels(name, labels)
    return Family(
        name, kind, help_text, tuple(Sample(pairs(name, labels, key), number) for key, number in values)
    )


def check_name(name: str, kind: Kind) -> None:
    """Raises MetricError if a metric of this kind cannot have the name."""
    if not METRIC_NAME.fullmatch(name):
        raise MetricError(f"the metric name {name!r} has other characters than A-Z a-z 0-9 _ :")
    if name.endswith(TOTAL) != (kind == "counter"):
        raise MetricError(f"the {kind} is named {name}; names of counters end with {TOTAL}, others do not")


def check_labels(name: str, labels: tuple[str, ...]) -> None:
    """Raises MetricError if a metric cannot have these labels."""
    for label in labels:
        if not LABEL_NAME.fullmatch(label) or label in RESERVED_LABELS:
            raise MetricError(f"{name} cannot have the label {label!r}")
    if len(set(labels)) < len(labels):
        raise MetricError(f"{name} has a label twice: {', '.join(labels)}")


def pairs(name: str, labels: tuple[str, ...], values: tuple[str, ...]) -> dict[str, str]:
    """The values by label. Raises MetricError if they are too few or too many."""
    if len(values) != len(labels):
        raise MetricError(f"{name} has the labels {labels}, not values for {len(values)}: {values}")
    return dict(zip(labels, values, strict=True))
