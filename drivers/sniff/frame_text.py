"""A line as text: frames and noise that pass by, each with what can be told of it without any key."""

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
"""Bytes of noise that are shown."""
DIRECTIONS: Mapping[frozenset[Side], Direction] = {HOST: "to device", DEVICE: "to host"}
"""Where a message goes that only one side says."""


@dataclass(frozen=True, slots=True)
class LineEntry:
    """A frame, a message or a run of noise; `kind` is what a summary counts it as, `text` has one line."""

    direction: Direction
    kind: str
    text: str


class LineReader(Protocol):
    """Reads one direction of a line. No bytes raise."""

    def feed(self, data: bytes) -> Iterable[LineEntry]:
        """What ends in these bytes, noise included."""

    def flush(self) -> Iterable[LineEntry]:
        """No more bytes come: what was begun."""


class FrameReader:
    """Reads TSL/1 that goes one way; `direction` "unknown": it is told from what is said, where it can be.

    Any split of the same bytes gives the same values.
    """

    def __init__(self, direction: Direction = "unknown") -> None:
        self._direction = direction
        self._deframer = Deframer()

    def feed(self, data: bytes) -> list[LineEntry]:
        """Frames and noise that end in these bytes."""
        return [self._entry(item) for item in self._deframer.feed(data)]

    def flush(self) -> list[LineEntry]:
        """No more bytes come: what was begun is noise, unless it is a frame whose last zero is missing."""
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
    """What passed by, counted."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, entry: LineEntry) -> None:
        """One more."""
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
    """Only what anybody can see: no key is at hand here, ever."""
    if len(payload) < OVERHEAD:
        return f"sealed, too short: {len(payload)} bytes"
    counter = int.from_bytes(payload[:LOW], "little")
    return f"sealed: {len(payload) - OVERHEAD} bytes, counter {counter}"


def _noise(noise: Noise) -> str:
    start = noise.data[:MOST_NOISE].hex(" ")
    more = ".." if len(noise.data) + noise.dropped > MOST_NOISE else ""
    return f"noise     {noise.reason}, {len(noise.data) + noise.dropped} bytes: {start}{more}"
