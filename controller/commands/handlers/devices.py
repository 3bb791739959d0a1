"""What `tableside device list` does: it shows the ports of the computer and the devices of a table.

The state of the devices comes from the daemon if it answers; otherwise only the configuration and the ports
are shown. The output fits 80 columns.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from ipaddress import ip_address
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from controller.commands.arguments import print_json
from controller.commands.config_file import TABLE
from controller.commands.configurations import read_config
from controller.config import Config, DeviceSection
from controller.monitor.client import TableAbsentError, TableAnswerError, fetch
from controller.monitor.technician.health import DeviceHealth, advice, link_health
from controller.table.record.views import DeviceView, TableView
from drivers.ports.listing import ListedPort, find_ports
from drivers.sniff.message_text import plain

LOOPBACK: Mapping[bool, str] = {False: "127.0.0.1", True: "::1"}
"""The loopback address; the key is true for IP version 6."""
NOT_CONNECTED = "not connected"
"""The state of a device when no daemon answers."""


@dataclass(frozen=True, slots=True)
class DeviceEntry:
    """One configured device."""

    name: str
    kind: str
    port: str
    state: str
    seal: str
    """"sealed" or "INSECURE", as configured. The daemon accepts no other form of messages from the device."""
    serial: str
    hardware: str = ""
    firmware: str = ""
    detail: str = ""
    todo: str = ""
    """What to do, in a sentence; empty if there is nothing to do."""
    health: DeviceHealth = field(default_factory=DeviceHealth)
    counters: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeviceInventory:
    """The ports of the computer and the devices of a table. `source` says in a sentence where the data comes
    from."""

    table: str
    source: str
    devices: tuple[DeviceEntry, ...]
    ports: tuple[ListedPort, ...]


def inventory(
    config: Config | None, ports: Iterable[ListedPort], fetched: Callable[[str, int], TableView] = fetch
) -> DeviceInventory:
    """The inventory of the table with this configuration; without a configuration, of the ports only."""
    found = tuple(ports)
    if config is None:
        return DeviceInventory("", "No configuration is named (--config FILE): ports alone.", (), found)
    view, source = _running_table(config, fetched)
    views = {device.name: device for device in view.devices} if view else {}
    devices = tuple(
        _running(section, views[name]) if name in views else _idle(name, section, found)
        for name, section in config.devices.configured().items()
    )
    return DeviceInventory(config.table.name, source, devices, found)


def _running_table(config: Config, fetched: Callable[[str, int], TableView]) -> tuple[TableView | None, str]:
    """The view of the running table, None if it cannot be obtained; and a sentence about the source."""
    host, port = _client_address(config.web.host), config.web.port
    alone = "so this list has only what configuration and ports say"
    if not port:
        return None, f"The page has no fixed port (web.port = 0), {alone}."
    try:
        view = fetched(host, port)
    except TableAbsentError:
        return None, f"No page answers at {host}:{port}, {alone}."
    except TableAnswerError as error:
        return None, f"What answers there is no table of this version ({error}), {alone}."
    if view.table != config.table.name:
        return None, f"Another table answers at {host}:{port}, {view.table}, {alone}."
    return view, f"As the page at {host}:{port} has it now."


def _client_address(host: str) -> str:
    """The address to connect to: the loopback address if `host` stands for all addresses, else `host`."""
    try:
        everywhere = ip_address(host).is_unspecified
    except ValueError:
        return host  # a name
    return LOOPBACK[":" in host] if everywhere else host


def _running(section: DeviceSection, view: DeviceView) -> DeviceEntry:
    health = link_health(view)
    return DeviceEntry(
        view.name,
        view.kind,
        view.port,
        view.state,
        _seal(section),
        view.serial,
        view.hardware,
        view.firmware,
        view.detail,
        advice(view.state, health),
        health,
        view.counters,
    )


def _idle(name: str, section: DeviceSection, ports: tuple[ListedPort, ...]) -> DeviceEntry:
    absent = _missing_port_advice(section.port, ports)
    return DeviceEntry(name, name, section.port, NOT_CONNECTED, _seal(section), section.serial, todo=absent)


def _seal(section: DeviceSection) -> str:
    return "sealed" if section.sealed else "INSECURE"


def _missing_port_advice(port: str, ports: tuple[ListedPort, ...]) -> str:
    """What to do if the port does not exist; else empty. The ports of device servers are not checked."""
    if port.startswith("socket://") or any(port in (each.port, *each.names) for each in ports):
        return ""
    if "://" not in port and Path(port).exists():
        return ""
    return "Plug it in and switch it on: there is no such port now."


ALARM_STYLE = "bold red"
STATE_STYLES: Mapping[str, str] = {
    "running": "bold green",
    "refused": ALARM_STYLE,
    "backing off": ALARM_STYLE,
    "held off": ALARM_STYLE,
    NOT_CONNECTED: "dim",
}
"""The styles of states. Other states are temporary and have no style."""
ENDS = "resets "
MODEM_MANAGER = "ModemManager may write to it: set ID_MM_DEVICE_IGNORE in udev"


def inventory_output(inventory: DeviceInventory) -> Iterator[Table | Text | Padding]:
    """One after the other, for rich."""
    if inventory.table:
        yield Text.assemble((plain(inventory.table), "bold"))
    yield Text(inventory.source)
    for entry in inventory.devices:
        yield Text()
        yield _head(entry)
        yield Padding(_body(entry), (0, 0, 0, 2))
    yield Text()
    yield _ports(inventory)


def _head(entry: DeviceEntry) -> Text:
    kind = f" ({entry.kind})" if entry.kind != entry.name else ""
    seal = (entry.seal, "green" if entry.seal == "sealed" else ALARM_STYLE)
    state = (entry.state, STATE_STYLES.get(entry.state, "yellow"))
    return Text.assemble((f"{entry.name}{kind}", "bold"), "  ", state, "  ", seal)


def _body(entry: DeviceEntry) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in _lines(entry):
        if text:
            grid.add_row(label, plain(text))
    if entry.todo:
        grid.add_row(Text("do", style="bold yellow"), Text(plain(entry.todo), style="bold yellow"))
    return grid


def _lines(entry: DeviceEntry) -> Iterator[tuple[str, str]]:
    yield (
        "who",
        _joined(
            entry.serial,
            entry.hardware and f"hardware {entry.hardware}",
            entry.firmware and f"firmware {entry.firmware}",
        ),
    )
    yield "port", entry.port
    yield "health", health_text(entry.health)
    yield "line", _traffic(entry)
    yield "sessions", _sessions(entry.counters)
    yield "why", entry.detail


def health_text(health: DeviceHealth) -> str:
    """The known values on one line."""
    condition = health.condition
    return _joined(
        health.heartbeat_age is not None and f"heartbeat {health.heartbeat_age:.1f} s ago",
        health.round_trip is not None and f"round trip {health.round_trip * 1000:.1f} ms",
        condition and f"{condition.celsius} °C",
        condition and condition.mode,
        condition and condition.errors and f"{condition.errors:,} errors of its own",
    )


def _traffic(entry: DeviceEntry) -> str:
    counts, health = entry.counters, entry.health
    if not counts.get("frames_in") and not counts.get("frames_out"):
        return ""
    return _joined(
        f"{counts.get('frames_in', 0):,} frames in, {counts.get('frames_out', 0):,} out",
        health.repeated is not None and f"{health.repeated:.1f} of 1,000 sent again",
        health.damaged is not None and f"{health.damaged:.1f} damaged",
    )


def _sessions(counts: Mapping[str, int]) -> str:
    """The number of sessions, and the reasons why they ended."""
    reasons = [f"{name.removeprefix(ENDS)} {count:,}" for name, count in counts.items() if ENDS in name]
    sessions = counts.get("sessions", 0)
    return _joined(sessions and f"{sessions:,}", reasons and f"ended by {', '.join(reasons)}")


def _joined(*parts: object) -> str:
    return " · ".join(str(part) for part in parts if part)


def _ports(inventory: DeviceInventory) -> Table:
    """A table of the ports, with the devices that use them."""
    table = Table(
        box=None,
        padding=(0, 2, 0, 0),
        title_justify="left",
        title_style="bold",
        title="Ports of this machine",
    )
    for name in ("port", "for", "what"):
        table.add_column(name, header_style="dim", overflow="fold")
    for found in inventory.ports:
        table.add_row(found.port, _used_by(found, inventory.devices), _port_text(found))
    if not inventory.ports:
        table.add_row("none", "", "")
    return table


def _used_by(listed: ListedPort, devices: tuple[DeviceEntry, ...]) -> str:
    names = {listed.port, *listed.names}
    return ", ".join(entry.name for entry in devices if {entry.port, *_target(entry.port)} & names)


def _target(port: str) -> tuple[str, ...]:
    """The target of a path, because udev rules may give a port any name; empty for a URL."""
    return () if "://" in port else (str(Path(port).resolve()),)


def _port_text(listed: ListedPort) -> str:
    first_line = _joined(listed.what, listed.serial, listed.usb, listed.place)
    return "\n".join(
        plain(line) for line in (first_line, *listed.names, listed.meddled and MODEM_MANAGER) if line
    )


def handle(config: Path | None, as_json: bool) -> None:
    found = inventory(_read(config), find_ports())
    if as_json:
        print_json(asdict(found))
        return
    Console(markup=False, highlight=False).print(*inventory_output(found), sep="\n")


def _read(path: Path | None) -> Config | None:
    path = path or TABLE.path
    return read_config(path) if path else None
