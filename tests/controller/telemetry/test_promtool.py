"""The metrics of a whole table, checked by promtool."""

from pathlib import Path

from controller.telemetry import link_counters
from tests.fixtures.metrics import COUNTS, check, exposed


def test_promtool_finds_no_fault_in_the_metrics(tmp_path: Path) -> None:
    assert check(exposed(tmp_path)) == ""


def test_promtool_names_a_metric_against_the_conventions() -> None:
    assert "no help text" in check("# TYPE tableside_cards counter\ntableside_cards 1\n")


def test_every_count_of_a_link_has_words() -> None:
    assert COUNTS.keys() - {"round_trip_us"} <= link_counters.LINK_COUNTERS.keys()
