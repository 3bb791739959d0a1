"""The state of the computer in metrics, logs and on the page."""

from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from controller.monitor.technician.facts import host_facts
from controller.selftest.check import SelfTestResult, describe
from controller.table.record.events import DiskSpace
from controller.table.record.kinds import KINDS, RecordKind
from controller.table.record.notes import ClockStepped, SelfTested
from controller.telemetry.collector import TableCollector
from controller.telemetry.host import HostStatus
from controller.telemetry.prometheus.registry import CollectorRegistry
from controller.telemetry.table_log import TableLog
from controller.telemetry.table_metrics import TableMetrics
from tests.controller.monitor.technician.workshop import MACHINE
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.metrics import value
from tests.fixtures.table_views import BETTING


def test_the_metrics_show_clock_disks_and_own_files(tmp_path: Path) -> None:
    registry = CollectorRegistry()
    meters = TableMetrics(registry, "easy-jack", "1")
    with loop_table(tmp_path / "j", Script().started(), (meters,)) as table:
        registry.register(
            TableCollector(
                lambda: table.table.state, tuple, lambda: HostStatus(free_bytes={"journal": 70, "mirror": 80})
            )
        )
        table.apply(DiskSpace("low", 70, "journal"))
        meters.on_note(ClockStepped(5.0))
        levels = [
            (disk, level)
            for disk in ("journal", "mirror")
            for level in ("enough", "low", "stop")
            if value(registry, "tableside_disk_level", {"device": disk, "kind": level})
        ]
    assert levels == [("journal", "low"), ("mirror", "enough")]
    assert value(registry, "tableside_disk_free_bytes", {"device": "mirror"}) == 80
    assert value(registry, "tableside_clock_steps_total") == 1
    assert value(registry, "tableside_halted") == 0


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.log], ids=lambda kind: kind.name)
def test_a_log_line_shows_fields_of_its_record_and_none_of_the_log(kind: RecordKind[object]) -> None:
    assert kind.log
    assert all(hasattr(kind.record, name.partition(".")[0]) for name in kind.log.fields)
    assert not {"level", "event", "timestamp"} & set(kind.log.fields)


def test_each_condition_of_the_computer_is_one_log_line() -> None:
    with capture_logs() as lines:
        chronicle = TableLog()
        chronicle.on_input(DiskSpace("stop", 70, "mirror"))
        chronicle.on_note(ClockStepped(-7.5))
        chronicle.on_note(SelfTested("1", 463, "f3c0"))
    assert lines == [
        {"disk": "mirror", "room": "stop", "free": 70, "event": "disk", "log_level": "error"},
        {"seconds": -7.5, "asleep": False, "event": "clock stepped", "log_level": "warning"},
        {"version": "1", "files": 463, "manifest": "f3c0", "event": "self-test", "log_level": "info"},
    ]


@pytest.mark.parametrize(
    ("compared", "sentence", "marked"),
    [
        (SelfTestResult(0, ""), "Own files are unchecked: there is no manifest", True),
        (SelfTestResult(1463, "ab" * 32), "1,463 own files are as installed, manifest abababababab", False),
    ],
)
def test_the_page_says_whether_own_files_are_checked(
    compared: SelfTestResult, sentence: str, *, marked: bool
) -> None:
    (files,) = (
        fact
        for fact in host_facts(replace(BETTING, selftest=describe(compared)), MACHINE)
        if fact.name == "Program files"
    )
    assert files.value.startswith(sentence)
    assert (files.mark == "warn") is marked
