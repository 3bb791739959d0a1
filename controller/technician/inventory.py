"""What a technician wants to know of devices: from the daemon if one answers, else from the ports alone."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from controller.config import Config
from controller.config_devices import DeviceSection
from controller.monitor.client import TableAbsentError, TableAnswerError, fetch
from controller.table.view import ConditionView, DeviceView, TableView
from drivers.listing import Listed

LOOPBACK: Mapping[bool, str] = {False: "127.0.0.1", True: "::1"}
"""By whether it is version 6."""
DAMAGES = ("cobs", "length", "crc", "version", "too_long")
"""Counters of what came and was no frame."""
FEW = 100
"""Frames; fewer say nothing about a line."""
UNTRIED = "not connected"
"""The state of a device when no daemon answers."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a device and its line are; None: not known, or no session is up. Times in seconds."""

    heartbeat_age: float | None = None
    round_trip: float | None = None
    repeated: float | None = None
    """Frames sent again, of 1,000 sent; None: there were too few to tell."""
    damaged: float | None = None
    """Frames that came damaged, of 1,000 that came."""
    condition: ConditionView | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One configured device."""

    name: str
    kind: str
    port: str
    state: str
    seal: str
    """"sealed" or "INSECURE", as it is configured: nothing else is accepted from it."""
    serial: str
    hardware: str = ""
    firmware: str = ""
    detail: str = ""
    todo: str = ""
    """What to do, in a sentence; empty when nothing is."""
    health: Health = field(default_factory=Health)
    counters: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Inventory:
    """`source` says in a sentence what all this was taken from."""

    table: str
    source: str
    devices: tuple[Entry, ...]
    ports: tuple[Listed, ...]


def inventory(
    config: Config | None, ports: Iterable[Listed], fetched: Callable[[str, int], TableView] = fetch
) -> Inventory:
    """Everything, of the table with this configuration or of the machine alone."""
    found = tuple(ports)
    if config is None:
        return Inventory("", "No configuration is named (--config FILE): ports alone.", (), found)
    seen, source = _asked(config, fetched)
    views = {device.name: device for device in seen.devices} if seen else {}
    devices = tuple(
        _running(section, views[name]) if name in views else _idle(name, section, found)
        for name, section in config.devices.present().items()
    )
    return Inventory(config.table.name, source, devices, found)


def _asked(config: Config, fetched: Callable[[str, int], TableView]) -> tuple[TableView | None, str]:
    """The running table, and a sentence about it."""
    host, port = _reachable(config.web.host), config.web.port
    alone = "so this is told from configuration and ports alone"
    if not port:
        return None, f"The page has no fixed port (web.port = 0), {alone}."
    try:
        seen = fetched(host, port)
    except TableAbsentError:
        return None, f"No daemon answers at {host}:{port}, {alone}."
    except TableAnswerError as error:
        return None, f"What answers there is no table of this version ({error}), {alone}."
    if seen.table != config.table.name:
        return None, f"Another table answers at {host}:{port}, {seen.table}, {alone}."
    return seen, f"As the daemon at {host}:{port} has it now."


def _reachable(host: str) -> str:
    """An address of our own for one that stands for all of them."""
    try:
        everywhere = ip_address(host).is_unspecified
    except ValueError:
        return host  # a name
    return LOOPBACK[":" in host] if everywhere else host


def _running(section: DeviceSection, view: DeviceView) -> Entry:
    health = _health(view)
    return Entry(
        view.name, view.kind, view.port, view.state, _seal(section), view.serial, view.hardware,
        view.firmware, view.detail, _todo(view, health), health, view.counters,
    )  # fmt: skip


def _idle(name: str, section: DeviceSection, ports: tuple[Listed, ...]) -> Entry:
    absent = _absent(section.port, ports)
    return Entry(name, name, section.port, UNTRIED, _seal(section), section.serial, todo=absent)


def _seal(section: DeviceSection) -> str:
    return "sealed" if section.sealed else "INSECURE"


def _absent(port: str, ports: tuple[Listed, ...]) -> str:
    """What to do about a port that is not there; a device server is not asked."""
    if port.startswith("socket://") or any(port in (each.port, *each.names) for each in ports):
        return ""
    if "://" not in port and Path(port).exists():
        return ""
    return "Plug it in and switch it on: there is no such port now."


def _health(view: DeviceView) -> Health:
    counts = view.counters
    damaged = sum(counts.get(name, 0) for name in DAMAGES)
    return Health(
        heartbeat_age=_seconds(counts.get("heartbeat_age_us")),
        round_trip=_seconds(counts.get("round_trip_us") or None),
        repeated=_share(counts.get("retransmissions", 0), counts.get("frames_out", 0)),
        damaged=_share(damaged, damaged + counts.get("frames_in", 0)),
        condition=view.condition,
    )


def _seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1e6


def _share(part: int, whole: int) -> float | None:
    return 1000 * part / whole if whole >= FEW else None


def _todo(view: DeviceView, health: Health) -> str:
    return TODO.get(view.state, "") or next((words for wrong, words in WARNINGS if wrong(health)), "")


TODO: Mapping[str, str] = {
    "waiting": "See that it is plugged in and switched on; it is tried again each second.",
    "refused": "Put right what is said above; it is tried again by itself, at the latest after 30 s.",
    "backing off": "Look at cable and plug, then at its firmware; it is tried again within 30 s.",
    "held off": "Look at plug, cable and power, then: tableside supervise resume. It is tried again by "
    "itself after the time that is said above.",
}
"""By state. While a session is made, or is up, the line and the device itself may say more."""
MANY = 10.0
"""So many of 1,000 frames are more than any good line loses."""
HOT = 70
"""Degrees Celsius."""
WARNINGS: tuple[tuple[Callable[[Health], bool], str], ...] = (
    (
        lambda health: (health.damaged or 0) >= MANY,
        "The line damages what the device says: look at cable, shield and baud rate.",
    ),
    (
        lambda health: (health.repeated or 0) >= MANY,
        "The device does not hear all that we say: look at cable, shield and baud rate.",
    ),
    (
        lambda health: health.condition is not None and health.condition.celsius >= HOT,
        "It is hot: see that it gets air.",
    ),
    (
        lambda health: health.condition is not None and health.condition.mode in {"fault", "ring full"},
        "It says that something is wrong with it: look at its own display and at the alerts on the page.",
    ),
)
