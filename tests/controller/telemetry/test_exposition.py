"""Metrics as text: what the client library of Prometheus reads from it, and what it would have written."""

import math
from collections.abc import Mapping
from pathlib import Path

import prometheus_client
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from controller.telemetry.prometheus.exposition import exposition, number
from controller.telemetry.prometheus.family import Family, MetricError, counter, gauge, labelled
from controller.telemetry.prometheus.instruments import Counter, Gauge, Histogram
from controller.telemetry.prometheus.process import ProcessCollector
from controller.telemetry.prometheus.registry import CollectorRegistry
from tests.fixtures.metrics import check, samples, value

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.floats(allow_nan=False)
SERIES = st.dictionaries(st.tuples(TEXTS, TEXTS), NUMBERS, max_size=4)
BOUNDS = (0.0001, 0.5, 1.0, 250.0)


@given(TEXTS, SERIES)
def test_a_reader_gets_every_label_and_number(help_text: str, series: dict[tuple[str, ...], float]) -> None:
    family = labelled("gauge", "g", help_text, ("a", "b"), series.items())
    (read,) = text_string_to_metric_families(exposition([family]))
    assert (read.name, read.type) == ("g", "gauge")
    assert {(each.labels["a"], each.labels["b"]): each.value for each in read.samples} == series


@given(
    st.lists(st.tuples(TEXTS, st.floats(0, 1e6)), max_size=6),
    st.lists(st.tuples(TEXTS, NUMBERS), max_size=6),
    st.lists(st.tuples(TEXTS, st.floats(-1, 1e6)), max_size=6),
)
def test_instruments_count_as_those_of_the_client_library(
    added: list[tuple[str, float]], numbers: list[tuple[str, float]], observed: list[tuple[str, float]]
) -> None:
    ours, theirs = CollectorRegistry(), prometheus_client.CollectorRegistry()
    count, count_ = (
        Counter("c_total", "C", ("kind",), registry=ours),
        prometheus_client.Counter("c", "C", ["kind"], registry=theirs),
    )
    level, level_ = (
        Gauge("g", "G", ("kind",), registry=ours),
        prometheus_client.Gauge("g", "G", ["kind"], registry=theirs),
    )
    times, times_ = (
        Histogram("h", "H", ("kind",), bounds=BOUNDS, registry=ours),
        prometheus_client.Histogram("h", "H", ["kind"], buckets=BOUNDS, registry=theirs),
    )
    for kind, amount in added:
        count.add(kind, amount=amount)
        count_.labels(kind).inc(amount)
    for kind, amount in numbers:
        level.set(amount, kind)
        level_.labels(kind).set(amount)
    for kind, amount in observed:
        times.observe(amount, kind)
        times_.labels(kind).observe(amount)
    written = samples(prometheus_client.generate_latest(theirs).decode())
    assert samples(ours.text()) == {
        series: number for series, number in written.items() if not series[0].endswith("_created")
    }


def test_metrics_without_labels_exist_before_anything_happens() -> None:
    registry = CollectorRegistry()
    Counter("c_total", "C", registry=registry)
    Gauge("g", "G", registry=registry)
    Histogram("h", "H", bounds=[0.5], registry=registry)
    buckets = {("h_bucket", frozenset({("le", bound)})): 0 for bound in ("0.5", "+Inf")}
    others = {(name, frozenset[tuple[str, str]]()): 0 for name in ("c_total", "g", "h_count", "h_sum")}
    assert samples(registry.text()) == buckets | others


def test_a_series_that_begins_shows_zero() -> None:
    registry = CollectorRegistry()
    count = Counter("c_total", "C", ("kind",), registry=registry)
    times = Histogram("h", "H", ("kind",), bounds=[0.5], registry=registry)
    assert samples(registry.text()) == {}
    count.begin("drawn")
    times.begin("drawn")
    count.add("drawn")
    count.begin("drawn")
    assert value(registry, "c_total", {"kind": "drawn"}) == 1
    assert value(registry, "h_count", {"kind": "drawn"}) == 0


@pytest.mark.parametrize(
    ("written", "value"), [("+Inf", math.inf), ("-Inf", -math.inf), ("NaN", math.nan), ("3.0", 3)]
)
def test_numbers_are_written_as_the_format_says(written: str, value: float) -> None:
    assert number(value) == written


def test_promtool_accepts_special_characters() -> None:
    strange = 'a\\b"c\nd,{}= \t'
    assert check(exposition([labelled("gauge", "g", strange, ("kind",), [((strange,), -math.inf)])])) == ""


@pytest.mark.parametrize("name", ["", "1st", "a-b", "tische_größe", "a b"])
def test_a_name_that_prometheus_refuses_is_refused(name: str) -> None:
    with pytest.raises(MetricError, match="metric name"):
        gauge(name, "G", 1)


@pytest.mark.parametrize("name", ["cards_total", "cards"])
def test_counters_alone_end_with_total(name: str) -> None:
    build = gauge if name.endswith("_total") else counter
    with pytest.raises(MetricError, match="_total"):
        build(name, "C", 1)


@pytest.mark.parametrize("labels", [("a-b",), ("",), ("__name",), ("le",), ("a", "a")])
def test_labels_that_prometheus_refuses_are_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(MetricError, match="label"):
        labelled("gauge", "g", "G", labels, [])


@pytest.mark.parametrize("labels", [(), ("a",), ("a", "b", "c")])
def test_a_wrong_number_of_labels_is_refused(labels: tuple[str, ...]) -> None:
    registry = CollectorRegistry()
    with pytest.raises(MetricError, match="labels"):
        Counter("c_total", "C", ("kind", "seat"), registry=registry).add(*labels)
    with pytest.raises(MetricError, match="labels"):
        Gauge("g", "G", ("kind", "seat"), registry=registry).set(1, *labels)
    with pytest.raises(MetricError, match="labels"):
        Histogram("h", "H", ("kind", "seat"), bounds=[1], registry=registry).observe(1, *labels)


def test_a_counter_refuses_to_count_down() -> None:
    with pytest.raises(MetricError, match="-1"):
        Counter("c_total", "C", registry=CollectorRegistry()).add(amount=-1)


@pytest.mark.parametrize("bounds", [[1, 1], [2, 1], [1, math.inf]])
def test_bounds_that_do_not_increase_are_refused(bounds: list[float]) -> None:
    with pytest.raises(MetricError, match="bounds of h"):
        Histogram("h", "H", bounds=bounds, registry=CollectorRegistry())


def test_two_metrics_of_one_name_are_refused() -> None:
    registry = CollectorRegistry()
    Gauge("g", "G", registry=registry)
    Gauge("g", "G", registry=registry)
    with pytest.raises(MetricError, match="the name g"):
        registry.text()


class TestProcess:
    """The process as the client library of Prometheus sees it."""

    TOLERANCES: Mapping[str, tuple[float, float]] = {
        # by metric: relative, absolute
        "process_virtual_memory_bytes": (0.05, 0),
        "process_resident_memory_bytes": (0.05, 0),
        "process_cpu_seconds_total": (0, 0.1),
        "process_start_time_seconds": (0, 1.0),  # theirs counts from a whole second
        "process_open_fds": (0, 0),
        "process_max_fds": (0, 0),
    }

    def test_has_the_values_of_the_client_library(self) -> None:
        ours, theirs = self._families()
        assert ours.keys() == theirs.keys() == self.TOLERANCES.keys()
        for name, family in ours.items():
            assert (family.help_text, family.kind) == (theirs[name].documentation, theirs[name].type)
            expected, (relative, absolute) = theirs[name].samples[0].value, self.TOLERANCES[name]
            assert family.samples[0].value == pytest.approx(expected, rel=relative, abs=absolute)

    def test_is_read_whatever_its_name_is(self) -> None:
        comm = Path("/proc/self/comm")
        before = comm.read_text()
        comm.write_text(") 1 (2")
        try:
            self.test_has_the_values_of_the_client_library()
        finally:
            comm.write_text(before.rstrip("\n"))

    def test_starts_at_one_time(self) -> None:
        collector = ProcessCollector()
        starts = {self._start(collector) for _ in range(50)}
        assert len(starts) == 1

    @staticmethod
    def _start(collector: ProcessCollector) -> float:
        return next(
            family.samples[0].value
            for family in collector.collect()
            if family.name == "process_start_time_seconds"
        )

    @staticmethod
    def _families() -> tuple[dict[str, Family], dict[str, prometheus_client.Metric]]:
        theirs = prometheus_client.ProcessCollector(registry=None).collect()
        ours = ProcessCollector().collect()
        return {family.name: family for family in ours}, {
            family.name + "_total" * (family.type == "counter"): family for family in theirs
        }
