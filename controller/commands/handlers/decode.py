"""What `tableside device decode` does."""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import typer

from controller.commands.arguments import print_json
from controller.commands.decode import STDIN
from controller.commands.exit_codes import failed, usage
from controller.process.faults import FAILED
from drivers.adapters.capture import REJECTED, CaptureEvent
from drivers.adapters.makes import ADAPTERS
from drivers.sniff.adapter_reader import adapter_reader
from drivers.sniff.frame_events import frame_events
from drivers.sniff.frame_text import Direction, FrameReader, KindCounts, LineReader

READERS: Mapping[str, Callable[[Direction], LineReader]] = {
    "tsl": FrameReader,
    **{make: adapter_reader(make) for make in ADAPTERS},
}
EVENTS: Mapping[str, Callable[[bytes], list[CaptureEvent]]] = {
    "tsl": frame_events,
    **{make: known.events for make, known in ADAPTERS.items()},
}
HEX = re.compile(rb"(?:[ \t]*#[^\n]*(?:\n|$)|[0-9A-Fa-f\s])*")
"""Hex text: pairs of digits, white space, and lines of remarks."""
REMARK = re.compile(rb"#[^\n]*")
NOISE = "noise"


def handle(adapter: str, *, file: str, hex_text: bool | None, as_json: bool) -> None:
    if adapter not in READERS:
        raise usage(f"--adapter {adapter!r} is not allowed; allowed: {', '.join(READERS)}")
    data = _bytes(_read(file), hex_text)
    refused = _print_events(EVENTS[adapter](data)) if as_json else _print(READERS[adapter]("unknown"), data)
    raise typer.Exit(FAILED if refused else 0)


def _print_events(events: list[CaptureEvent]) -> bool:
    """Print the events as JSON. Returns whether a message was rejected."""
    for each in events:
        print_json(each.event)
    return any(each.event["event"] == REJECTED for each in events)


def _print(lines: LineReader, data: bytes) -> bool:
    """Print the messages and their counts. Returns whether there was noise."""
    tally = KindCounts()
    for entry in [*lines.feed(data), *lines.flush()]:
        tally.add(entry)
        typer.echo(entry.text)
    typer.echo(f"{len(data):7,} bytes")
    for line in tally.lines():
        typer.echo(line)
    return any(kind.startswith(NOISE) for kind in tally.counts)


def _read(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except OSError as error:
        raise failed(f"{file} cannot be read: {error.strerror}") from None


def _bytes(capture: bytes, hex_text: bool | None) -> bytes:
    """The bytes of a capture. `hex_text` says whether it is hex text; None detects this, and takes white
    space alone as bytes. Raises typer.Exit after printing an error if hex text is malformed."""
    looks_hex = HEX.fullmatch(capture) is not None
    if hex_text and not looks_hex:
        raise failed("the capture is not hex text: only pairs of digits, white space and remarks are allowed")
    if not (looks_hex and not capture.isspace() if hex_text is None else hex_text):
        return capture
    digits = REMARK.sub(b"", capture).split()
    try:
        return bytes.fromhex(b"".join(digits).decode())
    except ValueError:
        raise failed("the capture is hex text with an odd number of digits") from None
