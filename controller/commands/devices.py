"""`tableside devices`: what is plugged in, who it is and how it is.

What a technician wants to know of devices: from the daemon if one answers, else from the ports alone.

What `tableside devices` shows to people; fits 80 columns.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from controller.commands.arguments import AsJson, print_json
from controller.commands.exit_codes import usage
from controller.commands.options import DEVICES
from controller.config.devices import DeviceSection
from controller.config.reading import Config, ConfigError, read
from controller.monitor.client import TableAbsentError, TableAnswerError, fetch
from controller.monitor.technician.health import Health, of, todo
from controller.table.record.views import DeviceView, TableView
from drivers.ports.listing import Listed, listed
from drivers.sniff.message_text import plain

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


TROUBLE = "bold red"
STATES: Mapping[str, str] = {"running": "bold green", "refused": TROUBLE, "backing off": TROUBLE,
                             "held off": TROUBLE, UNTRIED: "dim"}  # fmt: skip
"""Styles; any other state passes by itself."""
ENDS = "resets "
MEDDLED = "ModemManager may write to it: set ID_MM_DEVICE_IGNORE in udev"


def shown(seen: Inventory) -> Iterator[Table | Text | Padding]:
    """One after the other, for rich."""
    if seen.table:
        yield Text.assemble((plain(seen.table), "bold"))
    yield Text(seen.source)
    for entry in seen.devices:
        yield Text()
        yield _head(entry)
        yield Padding(_body(entry), (0, 0, 0, 2))
    yield Text()
    yield _ports(seen)


def _head(entry: Entry) -> Text:
    kind = f" ({entry.kind})" if entry.kind != entry.name else ""
    seal = (entry.seal, "green" if entry.seal == "sealed" else TROUBLE)
    state = (entry.state, STATES.get(entry.state, "yellow"))
    return Text.assemble((f"{entry.name}{kind}", "bold"), "  ", state, "  ", seal)


def _body(entry: Entry) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in _lines(entry):
        if text:
            grid.add_row(label, plain(text))
    if entry.todo:
        grid.add_row(Text("do", style="bold yellow"), Text(plain(entry.todo), style="bold yellow"))
    return grid


def _lines(entry: Entry) -> Iterator[tuple[str, str]]:
    yield (
        "who",
        _joined(
            entry.serial,
            entry.hardware and f"hardware {entry.hardware}",
            entry.firmware and f"firmware {entry.firmware}",
        ),
    )
    yield "port", entry.port
    yield "health", health(entry.health)
    yield "line", _traffic(entry)
    yield "sessions", _sessions(entry.counters)
    yield "why", entry.detail


def health(told: Health) -> str:
    """In one line, of what is known."""
    condition = told.condition
    return _joined(
        told.heartbeat_age is not None and f"heartbeat {told.heartbeat_age:.1f} s ago",
        told.round_trip is not None and f"round trip {told.round_trip * 1000:.1f} ms",
        condition and f"{condition.celsius} °C",
        condition and condition.mode,
        condition and condition.errors and f"{condition.errors:,} errors of its own",
    )


def _traffic(entry: Entry) -> str:
    counts, told = entry.counters, entry.health
    if not counts.get("frames_in") and not counts.get("frames_out"):
        return ""
    return _joined(
        f"{counts.get('frames_in', 0):,} frames in, {counts.get('frames_out', 0):,} out",
        told.repeated is not None and f"{told.repeated:.1f} of 1,000 sent again",
        told.damaged is not None and f"{told.damaged:.1f} damaged",
    )


def _sessions(counts: Mapping[str, int]) -> str:
    """How many there were, and what ended them."""
    reasons = [f"{name.removeprefix(ENDS)} {count:,}" for name, count in counts.items() if ENDS in name]
    sessions = counts.get("sessions", 0)
    return _joined(sessions and f"{sessions:,}", reasons and f"ended by {', '.join(reasons)}")


def _joined(*parts: object) -> str:
    return " · ".join(str(part) for part in parts if part)


def _ports(seen: Inventory) -> Table:
    """Ports, and which device each is for."""
    table = Table(
        box=None,
        padding=(0, 2, 0, 0),
        title_justify="left",
        title_style="bold",
        title="Ports of this machine",
    )
    for name in ("port", "for", "what"):
        table.add_column(name, header_style="dim", overflow="fold")
    for found in seen.ports:
        table.add_row(found.port, _used_by(found, seen.devices), _what(found))
    if not seen.ports:
        table.add_row("none", "", "")
    return table


def _used_by(listed: Listed, devices: tuple[Entry, ...]) -> str:
    names = {listed.port, *listed.names}
    return ", ".join(entry.name for entry in devices if {entry.port, *_target(entry.port)} & names)


def _target(port: str) -> tuple[str, ...]:
    """What a path leads to; a name of udev's may be of anybody's making."""
    return () if "://" in port else (str(Path(port).resolve()),)


def _what(listed: Listed) -> str:
    told = _joined(listed.what, listed.serial, listed.usb, listed.place)
    return "\n".join(plain(line) for line in (told, *listed.names, listed.meddled and MEDDLED) if line)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(rich_help_panel=DEVICES)(devices)


def devices(
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="The table's configuration.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the ports of this machine and the devices of a table: who they are, how they are, what to do.

    No port is opened. What the devices say comes from the running daemon; without
    one, configuration and ports are told alone.

    Example: tableside devices --config table.toml
    """
    seen = inventory(_read(config), listed())
    if as_json:
        print_json(asdict(seen))
        return
    Console(markup=False, highlight=False).print(*shown(seen), sep="\n")


def _read(path: Path | None) -> Config | None:
    try:
        return read(path) if path else None
    except ConfigError as error:
        raise usage(*error.faults) from None
