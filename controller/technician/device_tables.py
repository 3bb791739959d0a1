"""What `tableside devices` shows to people; fits 80 columns."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from controller.monitor.technician.health import Health
from controller.technician.inventory import UNTRIED, Entry, Inventory
from drivers.listing import Listed
from drivers.sniff.words import plain

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
    for listed in seen.ports:
        table.add_row(listed.port, _used_by(listed, seen.devices), _what(listed))
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
