"""What a technician sees of a table, drawn from its view and its computer."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.monitor.technician.health import Health, of, todo
from controller.monitor.telemetry.host import Machine
from controller.monitor.telemetry.link_counters import named
from controller.table.people.decisions import CABINET
from controller.table.record.views import DeviceView, TableView
from controller.table.supervision import RESETS

ALARMING: dict[str, str] = {"running": "good", "refused": "bad", "backing off": "bad", "held off": "bad"}
"""Of a state; any other passes by itself."""
TRAFFIC = frozenset({"frames_in", "frames_out", "bytes_in", "bytes_out"})
"""Counters that tell nothing by themselves: the shares of frames do."""
MEGABYTE, GIGABYTE = 10**6, 10**9


@dataclass(frozen=True, slots=True)
class Fact:
    """A line about a device, a line of it or the computer: a name, and a value in words. `mark`: good, warn,
    bad or empty."""

    name: str
    value: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One device; `todo` is empty when nothing is to be done."""

    device: DeviceView
    mark: str
    todo: str
    facts: tuple[Fact, ...]
    counts: tuple[Fact, ...]
    """Those that are not zero, and tell something."""


def rows(view: TableView) -> tuple[Row, ...]:
    """Every device."""
    return tuple(map(_row, view.devices))


def opened(view: TableView) -> tuple[str, ...]:
    """What somebody may open, and signs for."""
    return (CABINET, *(device.name for device in view.devices))


def computer(view: TableView, machine: Machine) -> tuple[Fact, ...]:
    """Disk, journal, software, page."""
    unchecked = "unchecked" in view.selftest
    return (
        Fact("Version", machine.version),
        Fact("Own files", view.selftest, "warn" if unchecked else ""),
        *(Fact(f"Room for the {name}", size(left)) for name, left in machine.free.items()),
        Fact("Journal", f"{machine.rows:,} rows, {size(machine.taken)} with its closed files"),
        Fact("Pages", f"{machine.followers} open, {machine.sessions} signed in"),
    )


def size(count: int) -> str:
    """Bytes as people read them."""
    if count >= GIGABYTE:
        return f"{count / GIGABYTE:,.1f} GB"
    return f"{count / MEGABYTE:,.1f} MB" if count < 100 * MEGABYTE else f"{count // MEGABYTE:,} MB"


def _row(device: DeviceView) -> Row:
    health = of(device)
    needed, mark = todo(device.state, health), ALARMING.get(device.state, "warn")
    return Row(
        device,
        "warn" if needed and mark == "good" else mark,
        needed,
        tuple(_facts(device, health)),
        tuple(_counts(device)),
    )


def _facts(device: DeviceView, health: Health) -> Iterator[Fact]:
    for name, value in (
        ("Serial", device.serial), ("Hardware", device.hardware), ("Firmware", device.firmware),
        ("Port", device.port),
    ):  # fmt: skip
        if value:
            yield Fact(name, value)
    if condition := health.condition:
        yield Fact("Says it is", condition.mode, "bad" if condition.mode in {"fault", "ring full"} else "")
        yield Fact("Temperature", f"{condition.celsius} °C", "bad" if condition.celsius >= 70 else "")
        yield Fact("Errors of its own", f"{condition.errors:,}", "warn" if condition.errors else "")
        yield Fact("Memory", f"room for {condition.free:,} events", "" if condition.free else "bad")
    yield from _line(health)


def _line(health: Health) -> Iterator[Fact]:
    if health.heartbeat_age is not None:
        yield Fact(
            "Heartbeat", f"{health.heartbeat_age:.1f} s ago", "bad" if health.heartbeat_age > 1.5 else ""
        )
    if health.round_trip is not None:
        yield Fact("Round trip", f"{health.round_trip * 1000:.1f} ms")
    for name, share in (("Sent again", health.repeated), ("Damaged", health.damaged)):
        if share is not None:
            yield Fact(name, f"{share:.1f} of 1,000", "bad" if share >= 10 else "warn" if share >= 1 else "")


def _counts(device: DeviceView) -> Iterator[Fact]:
    for name, count in device.counters.items():
        if count and name not in TRAFFIC and not name.endswith("_us"):
            reason = name.removeprefix(RESETS)
            yield Fact(f"Sessions ended: {reason}" if reason != name else named(name).words, f"{count:,}")
