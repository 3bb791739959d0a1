"""The rows of the technician's page, from the table's view and the state of its computer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from controller.monitor.technician.health import DeviceHealth, advice, link_health
from controller.table.people.decisions import CABINET
from controller.table.record.views import DeviceView, TableView
from controller.table.supervision import MEASURED, RESETS
from controller.telemetry.host import HostStatus
from controller.telemetry.link_counters import counter_named

HEALTHY: Final = "good"
STATE_MARKS: dict[str, str] = {"running": HEALTHY, "refused": "bad", "backing off": "bad", "held off": "bad"}
"""Marks of device states. Other states are temporary, and their mark is "warn"."""
TRAFFIC_COUNTERS = frozenset({"frames_in", "frames_out", "bytes_in", "bytes_out"})
"""Counters that the page omits. It shows shares of the frames instead."""
MEGABYTE = 10**6
GIGABYTE = 10**9


@dataclass(frozen=True, slots=True)
class Fact:
    """A row about a device, its link or the computer: a name, and a value as text. `mark`: "good", "warn",
    "bad" or empty."""

    name: str
    value: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """One device. `advice` is empty if nobody has to act."""

    device: DeviceView
    mark: str
    advice: str
    facts: tuple[Fact, ...]
    counters: tuple[Fact, ...]
    """Counters that are not zero, without TRAFFIC_COUNTERS."""


def faulty_devices(view: TableView) -> tuple[DeviceRow, ...]:
    """The rows of the devices that need attention, those that are worst first."""
    faulty = [row for row in map(_row, view.devices) if row.mark != HEALTHY]
    return tuple(sorted(faulty, key=lambda row: row.mark != "bad"))


def healthy_devices(view: TableView) -> tuple[DeviceRow, ...]:
    """The rows of the devices that need no attention."""
    return tuple(row for row in map(_row, view.devices) if row.mark == HEALTHY)


def faulty_lamps(view: TableView) -> frozenset[tuple[int, str]]:
    """Seat and spot of each lamp that was reported as faulty."""
    return frozenset((lamp.seat, lamp.spot) for lamp in view.faulty_lamps)


def accessible_parts(view: TableView) -> tuple[str, ...]:
    """The parts that a technician may open and must sign for: the cabinet and all devices."""
    return (CABINET, *(device.name for device in view.devices))


def host_facts(view: TableView, host: HostStatus) -> tuple[Fact, ...]:
    """Rows about the software, disks, journal and pages."""
    unchecked = "unchecked" in view.selftest
    return (
        Fact("Version", host.version),
        Fact("Program files", view.selftest, "warn" if unchecked else ""),
        *(Fact(f"Free space for the {name}", size(left)) for name, left in host.free_bytes.items()),
        Fact("Journal", f"{host.rows:,} rows, {size(host.journal_bytes)} with its closed files"),
        Fact("Pages", f"{host.followers} open, {host.sessions} signed in"),
    )


def size(count: int) -> str:
    """A number of bytes as text in MB or GB."""
    if count >= GIGABYTE:
        return f"{count / GIGABYTE:,.1f} GB"
    return f"{count / MEGABYTE:,.1f} MB" if count < 100 * MEGABYTE else f"{count // MEGABYTE:,} MB"


def _row(device: DeviceView) -> DeviceRow:
    health = link_health(device)
    needed, mark = advice(device.state, health), STATE_MARKS.get(device.state, "warn")
    return DeviceRow(
        device,
        "warn" if needed and mark == HEALTHY else mark,
        needed,
        tuple(_facts(device, health)),
        tuple(_counters(device)),
    )


def _facts(device: DeviceView, health: DeviceHealth) -> Iterator[Fact]:
    for name, value in (
        ("Serial", device.serial),
        ("Hardware", device.hardware),
        ("Firmware", device.firmware),
        ("Port", device.port),
    ):
        if value:
            yield Fact(name, value)
    if device.adapter:
        yield Fact("Adapter", f"{device.adapter}, unverified on hardware", "warn")
    if condition := health.condition:
        yield Fact("Status", condition.mode, "bad" if condition.mode in {"fault", "ring full"} else "")
        yield Fact("Temperature", f"{condition.celsius} °C", "bad" if condition.celsius >= 70 else "")
        yield Fact("Device errors", f"{condition.errors:,}", "warn" if condition.errors else "")
        yield Fact("Memory", f"space for {condition.free:,} events", "" if condition.free else "bad")
    yield from _line(health)


def _line(health: DeviceHealth) -> Iterator[Fact]:
    if health.heartbeat_age is not None:
        yield Fact(
            "Heartbeat", f"{health.heartbeat_age:.1f} s ago", "bad" if health.heartbeat_age > 1.5 else ""
        )
    if health.round_trip is not None:
        yield Fact("Round trip", f"{health.round_trip * 1000:.1f} ms")
    for name, share in (("Retransmitted", health.repeated), ("Damaged", health.damaged)):
        if share is not None:
            yield Fact(name, f"{share:.1f} of 1,000", "bad" if share >= 10 else "warn" if share >= 1 else "")


def _counters(device: DeviceView) -> Iterator[Fact]:
    for name, count in device.counters.items():
        if (
            count
            and name not in TRAFFIC_COUNTERS
            and not name.startswith(MEASURED)
            and not name.endswith("_us")
        ):
            reason = name.removeprefix(RESETS)
            yield Fact(
                f"Sessions ended: {reason}" if reason != name else counter_named(name).text, f"{count:,}"
            )
