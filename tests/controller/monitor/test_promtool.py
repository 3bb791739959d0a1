"""The metrics of a whole table, checked by promtool."""

import subprocess
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest

from controller.daemon.bulkhead import Bulkhead
from controller.monitor.telemetry import link_counters
from controller.monitor.telemetry.collector import TableCollector
from controller.monitor.telemetry.host import HostStatus
from controller.monitor.telemetry.table_metrics import TableMetrics
from controller.table.record.events import Noticed
from controller.table.record.notes import Accessed
from controller.table.record.views import ConditionView, DeviceView
from drivers.link.counters import Counters
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.state_table import StateTable

MACHINE = HostStatus("1", 0.0, {"journal": 70, "mirror": 80}, 12, 4096, 3, 2, 2e9)
COUNTS = {name: 1 for name, kind in Counters.__annotations__.items() if kind is int}


def device(name: str) -> DeviceView:
    counted = {**COUNTS, "resets heartbeat": 1, "heartbeat_age_us": 200_000, "port_stalls": 1}
    return DeviceView(
        name,
        name,
        f"/dev/{name}",
        "running",
        "",
        f"{name}-1",
        "1",
        False,
        counted,
        condition=ConditionView("ready", 41, 0, 900),
    )


def exposed(folder: Path) -> bytes:
    """/metrics after a round with a won jackpot, an alert, a sign-in."""
    registry, script = CollectorRegistry(), Script("blackjack-x")
    meters = TableMetrics(registry, "blackjack-x", "1")
    devices = tuple(map(device, ("shoe", "sensors", "console", "shuffler", "display")))
    witness = Bulkhead(registry).observer("metrics", meters)
    with loop_table(folder / "j", script.started(), (witness,)) as table:
        registry.register(
            TableCollector(lambda: table.table.state, lambda: devices, lambda: MACHINE, target=60)
        )
        state_table = StateTable.of(table.table.state, script)
        table.apply(*list(script.opening())[1:], script.loaded(8))
        tokens = "1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c 1:stand 9d pay"
        table.apply(*map(state_table.event, tokens.split()), Noticed("seen"))
        meters.on_note(Accessed("signed in", "Ann"))
        table.table.state.shift.round_ends.append(900.0)
        return generate_latest(registry)


def check(text: bytes) -> str:
    """The findings of promtool; empty: none."""
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, check=False)
    return (done.stdout + done.stderr).decode()


def test_promtool_finds_no_fault_in_the_metrics(tmp_path: Path) -> None:
    assert check(exposed(tmp_path)) == ""


def test_promtool_names_a_metric_against_the_conventions() -> None:
    assert "no help text" in check(b"# TYPE tableside_cards counter\ntableside_cards 1\n")


def test_every_count_of_a_link_has_words() -> None:
    assert COUNTS.keys() - {"round_trip_us"} <= link_counters.LINK_COUNTERS.keys()
