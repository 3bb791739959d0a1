"""A line as text: frames and noise, each with what can be read without a key."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from drivers.link.frames import Deframer, Noise, WireFrame
from drivers.link.routes import DEVICE, HOST
from drivers.link.seal import LOW, OVERHEAD
from drivers.protocol.codes import Channel, Flag, Side
from drivers.sniff.message_text import MessageText, describe

Direction = Literal["to device", "to host", "unknown"]
ARROWS: Mapping[Direction, str] = {"to device": ">", "to host": "<", "unknown": " "}
CHANNELS: Mapping[int, str] = {channel: channel.name.lower() for channel in Channel}
FLAGS: Mapping[Flag, str] = {Flag.SEALED: "S", Flag.RETRANSMIT: "R", Flag.CRITICAL: "C", Flag.NAK: "N"}
MOST_NOISE = 16
"""How many bytes of noise are shown."""
DIRECTIONS: Mapping[frozenset[Side], Direction] = {HOST: "to device", DEVICE: "to host"}
"""The direction of a message that only one side sends."""


@dataclass(frozen=True, slots=True)
class LineEntry:
    """A frame, a message or a run of noise. A summary counts it as `kind`. `text` has one line."""

    direction: Direction
    kind: str
    text: str


class LineReader(Protocol):
    """Reads one direction of a line. Nothing raises."""

    def feed(self, data: bytes) -> Iterable[LineEntry]:
        """Returns the entries that end in these bytes."""

    def flush(self) -> Iterable[LineEntry]:
        """Ends the input. Returns what is left."""


class FrameReader:
    """Reads one direction of TSL/1. If `direction` is "unknown", messages show it where they can.

    Any split of the same bytes gives the same entries.
    """

    def __init__(self, direction: Direction = "unknown") -> None:
        self._direction = direction
        self._deframer = Deframer()

    def feed(self, data: bytes) -> list[LineEntry]:
        return [self._entry(item) for item in self._deframer.feed(data)]

    def flush(self) -> list[LineEntry]:
        """Ends the input. What is left is noise, unless it is a frame that lacks only its last zero."""
        return self.feed(b"\0")

    def _entry(self, item: WireFrame | Noise) -> LineEntry:
        if isinstance(item, Noise):
            return LineEntry(
                self._direction, f"noise: {item.reason}", f"{ARROWS[self._direction]} {_noise(item)}"
            )
        words = _words(item)
        known = self._direction != "unknown"
        direction = self._direction if known else DIRECTIONS.get(words.sides, "unknown")
        return LineEntry(direction, words.kind, f"{ARROWS[direction]} {_header(item)} {words.text}")


class KindCounts:
    """Counts entries by kind."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, entry: LineEntry) -> None:
        self.counts[entry.kind] += 1

    def lines(self) -> list[str]:
        """The most frequent first."""
        return [f"{count:7,} {kind}" for kind, count in self.counts.most_common()]


def _header(frame: WireFrame) -> str:
    channel = CHANNELS.get(frame.channel, f"channel {frame.channel}")
    flags = "".join(sign if frame.flags & flag else "-" for flag, sign in FLAGS.items())
    return f"{channel:<9} {flags} {frame.sequence:>5} {frame.acknowledgement:>5}+{frame.credit:<3}"


def _words(frame: WireFrame) -> MessageText:
    if frame.flags & Flag.SEALED:
        return MessageText("sealed", _sealed(frame.payload))
    if not frame.payload and frame.channel == Channel.CONTROL:
        kind = "nak" if frame.flags & Flag.NAK else "acknowledgement"
        return MessageText(kind, kind)
    return describe(frame.payload)


def _sealed(payload: bytes) -> str:
    """Shows only what anyone can see: no key is ever at hand here."""
    if len(payload) < OVERHEAD:
        return f"sealed, too short: {len(payload)} bytes"
    counter = int.from_bytes(payload[:LOW], "little")
    return f"sealed: {len(payload) - OVERHEAD} bytes, counter {counter}"


def _noise(noise: Noise) -> str:
    start = noise.data[:MOST_NOISE].hex(" ")
    more = ".." if len(noise.data) + noise.dropped > MOST_NOISE else ""
    return f"noise     {noise.reason}, {len(noise.data) + noise.dropped} bytes: {start}{more}"
