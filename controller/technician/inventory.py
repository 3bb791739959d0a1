"""What a technician wants to know of devices: from the daemon if one answers, else from the ports alone."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from controller.config import Config
from controller.config_devices import DeviceSection
from controller.monitor.client import TableAbsentError, TableAnswerError, fetch
from controller.monitor.technician.health import Health, of, todo
from controller.table.view import DeviceView, TableView
from drivers.listing import Listed

LOOPBACK: Mapping[bool, str] = {False: "127.0.0.1", True: "::1"}
"""By whether it is version 6."""
UNTRIED = "not connected"
"""The state of a device when no daemon answers."""


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
    health = of(view)
    return Entry(
        view.name, view.kind, view.port, view.state, _seal(section), view.serial, view.hardware,
        view.firmware, view.detail, todo(view.state, health), health, view.counters,
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
