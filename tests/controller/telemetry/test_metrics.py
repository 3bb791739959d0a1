"""The metrics, with names and labels as Prometheus wants them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from controller.table.record.events import ClaimStep
from controller.table.supervision import Supervision
from controller.telemetry.collector import TableCollector
from controller.telemetry.prometheus.registry import CollectorRegistry
from controller.telemetry.table_metrics import TableMetrics
from drivers.adapters.makes import ADAPTERS
from drivers.adapters.options import AdapterOptions
from drivers.devices.classes import Shoe, Shuffler
from drivers.devices.device import Device, DeviceSettings
from drivers.link.facts import Bookmark
from tests.fixtures.device_inputs import Script
from tests.fixtures.logs import Notes
from tests.fixtures.loop_table import loop_table
from tests.fixtures.metrics import value
from tests.fixtures.state_table import StateTable

LABELS = {"device", "kind", "game", "seat", "version", "le"}
"""`version` of tableside_build_info alone, `le` of histograms."""


@pytest.fixture
def registry(tmp_path: Path) -> CollectorRegistry:
    found = CollectorRegistry()
    script = Script()
    settings = DeviceSettings("/nowhere", "SHOE-1")
    device = Shoe("shoe", settings, Bookmark, lambda _: None, clock=lambda: 0.0, alive=lambda: True)
    device._past.resets["heartbeat"] = 2
    views = Supervision({"shoe": device}, lambda _: None, Notes()).views
    with loop_table(tmp_path / "j", script.started(), (TableMetrics(found, "easy-jack", "1.2"),)) as table:
        found.register(TableCollector(lambda: table.table.state, views))
        table.apply(*list(script.opening())[1:], script.loaded(), script.bet(1), script.bet(1, 1))
        table.apply(
            script.key("close"), *script.cards_out("Ah Tc"), script.key("stand", 1), script.key("pay")
        )
        table.apply(script.bet(9), script.card("2h"))
    return found


@pytest.mark.parametrize(
    ("name", "labels", "expected"),
    [
        ("tableside_cards_total", {"kind": "drawn"}, 3),
        ("tableside_rounds_total", {"game": "easy-jack", "kind": "settled"}, 1),
        ("tableside_rounds_total", {"game": "easy-jack", "kind": "void"}, 0),
        ("tableside_wagers_total", {"seat": "1", "kind": "dealer-bust"}, 1),
        ("tableside_refusals_total", {}, 1),
        ("tableside_access_total", {"kind": "refused"}, 0),
        ("tableside_test_mode", {}, 0),
        ("tableside_alerts_open", {}, 2),
        ("tableside_shoe_cards", {}, 416),
        ("tableside_shoe_cards_out", {}, 2),
        ("tableside_shoe_penetration_ratio", {}, 2 / 416),
        ("tableside_journal_rows", {}, 0),
        ("tableside_requests_open", {}, 0),
        ("tableside_alerts_total", {}, 1),
        ("tableside_suspended", {}, 1),
        ("tableside_card_to_lamp_seconds_count", {}, 3),
        ("tableside_device_state", {"device": "shoe", "kind": "waiting"}, 1),
        ("tableside_device_state", {"device": "shoe", "kind": "running"}, 0),
        ("tableside_insecure", {"device": "shoe"}, 1),
        ("tableside_link_retransmissions_total", {"device": "shoe"}, 0),
        ("tableside_link_crc_total", {"device": "shoe"}, 0),
        ("tableside_link_late_heartbeats_total", {"device": "shoe"}, 0),
        ("tableside_link_resets_total", {"device": "shoe", "kind": "heartbeat"}, 2),
        ("tableside_link_heartbeat_age_seconds", {"device": "shoe"}, None),
        ("tableside_build_info", {"version": "1.2", "game": "easy-jack"}, 1),
    ],
)
def test_each_metric_has_the_value_of_the_state(
    registry: CollectorRegistry, name: str, labels: dict[str, str], expected: float | None
) -> None:
    assert value(registry, name, labels) == expected


def test_a_commercial_shoe_counts_more_and_others_do_not(tmp_path: Path) -> None:
    found, script, connections = CollectorRegistry(), Script(), dict[str, Device]()
    for name in ("shoe", "shuffler"):
        settings = DeviceSettings("/nowhere", f"{name}-1")
        about = (name, settings, Bookmark, lambda _: None)
        with_clock = {"clock": lambda: 0.0, "alive": lambda: True}
        make: Callable[..., Device] = (
            partial(ADAPTERS["bee-tek"].shoe, AdapterOptions()) if name == "shoe" else Shuffler
        )
        connections[name] = make(*about, **with_clock)
    views = Supervision(connections, lambda _: None, Notes()).views
    with loop_table(tmp_path / "j", script.started()) as table:
        found.register(TableCollector(lambda: table.table.state, views))
        for count in ("noise_runs", "noise_bytes", "doubts", "repeats"):
            assert value(found, f"tableside_link_{count}_total", {"device": "shoe"}) == 0
        assert value(found, "tableside_link_doubts_total", {"device": "shuffler"}) is None
        assert value(found, "tableside_link_repeats_total", {"device": "shuffler"}) == 0


def test_names_and_labels_follow_the_conventions(registry: CollectorRegistry) -> None:
    for family in registry.collect():
        assert family.name.startswith("tableside_")
        assert family.help_text
        for sample in family.samples:
            assert sample.labels.keys() <= LABELS


def test_commit_times_are_measured(registry: CollectorRegistry) -> None:
    count = value(registry, "tableside_journal_commit_seconds_count")
    assert count is not None
    assert count > 10


def test_the_metrics_show_each_jackpot(tmp_path: Path) -> None:
    found = CollectorRegistry()
    script = Script("blackjack-x")
    with loop_table(tmp_path / "j", script.started()) as table:
        found.register(TableCollector(lambda: table.table.state, tuple))
        spot = {"kind": "blazing-7s"}
        assert value(found, "tableside_jackpot_cents", spot) == 1_000_000
        state_table = StateTable.of(table.table.state, script)
        table.apply(*list(script.opening())[1:], script.loaded(8))
        tokens = "1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c 1:stand 9d pay"
        table.apply(*map(state_table.event, tokens.split()))
        amounts = {
            "locked_cents": 100_001,
            "paid_cents": 0,
            "won_cents": 100_001,
            "reserve_cents": 5,
            "overflow_cents": 0,
            "contributed_cents": 20,
            "seeded_cents": 1_000_000,
            "wagers": 1,
            "wagered_cents": 100,
            "hits": 1,
            "parameters_pending": 0,
        }
        read = {name: value(found, f"tableside_jackpot_{name}", spot) for name in amounts}
        assert read == amounts
        assert value(found, "tableside_claims", {"kind": "pending"}) == 1
        table.apply(ClaimStep(1, "confirm", "Dee", "seen"))
        assert value(found, "tableside_claims", {"kind": "confirmed"}) == 1
