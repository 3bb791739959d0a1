"""What `tableside device sniff` does."""

import asyncio
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Protocol

import typer

from controller.commands.arguments import print_json
from controller.commands.exit_codes import failed, usage
from drivers.adapters.capture import CaptureEvent
from drivers.adapters.makes import ADAPTERS
from drivers.errors import Absent
from drivers.ports.opening import open_port
from drivers.ports.transport import Transport
from drivers.sniff.adapter_reader import RATES, adapter_reader
from drivers.sniff.frame_text import Direction, FrameReader, KindCounts, LineEntry, LineReader
from drivers.sniff.live_events import LiveEvents, live_events
from drivers.sniff.tap import Tap, listen

BAUD = 115_200
LOCKED_BY_PROCESS = "another process has locked it"
HELD_BY_DAEMON = "a running daemon holds it: stop the daemon, or let it use a port that --between offers"
READERS: Mapping[str, tuple[int, Callable[[Direction], LineReader]]] = {
    "": (BAUD, FrameReader),
    **{adapter: (RATES[adapter], adapter_reader(adapter)) for adapter in ADAPTERS},
}
"""By adapter ("" is TSL/1), the usual baud rate and the function that makes a reader of one direction."""


class Printer(Protocol):
    """Prints what passes on a line."""

    def receive(self, direction: Direction, data: bytes) -> None:
        """Print what these bytes of one direction complete."""

    def summary(self) -> None:
        """Print what is left, and the numbers of bytes and of messages."""


def handle(port: str, *, baud: int | None, adapter: str, between: Path | None, as_json: bool) -> None:
    if adapter not in READERS:
        allowed = ", ".join(sorted(ADAPTERS))
        raise usage(f"--adapter {adapter!r} is not allowed; allowed: {allowed}")
    usual, read = READERS[adapter]
    show: Printer = EventPrinter(adapter) if as_json else LinePrinter(read)
    try:
        asyncio.run(_watch(port, baud or usual, between, show))
    except Absent as error:
        raise failed(
            f"{error}; {HELD_BY_DAEMON}" if LOCKED_BY_PROCESS in str(error) else str(error)
        ) from None
    finally:
        show.summary()


class LinePrinter:
    """Prints each entry of a line with the time at which its last byte arrived."""

    def __init__(self, reader: Callable[[Direction], LineReader]) -> None:
        self._tally = KindCounts()
        self._bytes: dict[Direction, int] = defaultdict(int)
        self._readers: dict[Direction, LineReader] = {}
        self._reader = reader

    def receive(self, direction: Direction, data: bytes) -> None:
        """Print the entries that these bytes of one direction complete."""
        self._bytes[direction] += len(data)
        if direction not in self._readers:
            self._readers[direction] = self._reader(direction)
        self._print(self._readers[direction].feed(data))

    def summary(self) -> None:
        """Print incomplete entries, and the numbers of bytes and of entries."""
        for each in self._readers.values():
            self._print(each.flush())
        for direction, count in self._bytes.items():
            typer.echo(f"{count:7,} bytes" + (f" {direction}" if direction != "unknown" else ""))
        for line in self._tally.lines():
            typer.echo(line)

    def _print(self, values: Iterable[LineEntry]) -> None:
        now = datetime.now().astimezone().strftime("%H:%M:%S.%f")[:-3]
        for entry in values:
            self._tally.add(entry)
            typer.echo(f"{now} {entry.text}")


class EventPrinter:
    """Prints each event of a line as a JSON object, with the time at which its last byte arrived."""

    def __init__(self, adapter: str) -> None:
        self._adapter = adapter
        self._bytes: Counter[Direction] = Counter()
        self._events: Counter[str] = Counter()
        self._lines: dict[Direction, LiveEvents] = {}

    def receive(self, direction: Direction, data: bytes) -> None:
        """Print the events that these bytes of one direction complete."""
        self._bytes[direction] += len(data)
        if direction not in self._lines:
            self._lines[direction] = live_events(self._adapter, direction)
        self._print(direction, self._lines[direction].feed(data))

    def summary(self) -> None:
        """Print incomplete events, and the numbers of bytes and of events."""
        for direction, line in self._lines.items():
            self._print(direction, line.end())
        print_json({"event": "summary", "bytes": self._bytes, "events": self._events})

    def _print(self, direction: Direction, found: Iterable[CaptureEvent]) -> None:
        now = round(time.time(), 3)
        for each in found:
            self._events[str(each.event["event"])] += 1
            print_json({"at": now, "direction": direction, **each.event})


async def _watch(port: str, baud: int, between: Path | None, show: Printer) -> None:
    transport = await open_port(port, baud)
    try:
        if between is None:
            await _until_asked_to_stop(listen(transport, show.receive))
        else:
            await _offer(transport, between, show)
    finally:
        await transport.close()


async def _offer(transport: Transport, between: Path, show: Printer) -> None:
    with Tap(transport, between, show.receive) as tap:
        typer.echo(f"The device on {transport.name} is offered on {between} until Ctrl-C.", err=True)
        await _until_asked_to_stop(tap.run())


async def _until_asked_to_stop(watching: Awaitable[None]) -> None:
    """Wait until SIGINT, SIGTERM or the end of `watching`. Raises Absent if the device disappears."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    parts = asyncio.ensure_future(watching), asyncio.ensure_future(stop.wait())
    done, _ = await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
    for part in parts:
        part.cancel()
    await asyncio.gather(*parts, return_exceptions=True)
    if parts[0] in done:
        await parts[0]
