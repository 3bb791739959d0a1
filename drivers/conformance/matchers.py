"""Predicates over frames that came, for which a check waits."""

from collections.abc import Callable
from typing import Any

from drivers.conformance.trace import TraceEntry
from drivers.link.frames import WireFrame
from drivers.link.routes import HANDSHAKE
from drivers.protocol import common_pb2 as common
from drivers.protocol.codes import Channel, Flag

Matcher = Callable[[TraceEntry], bool]


def says(name: str, **fields: Any) -> Matcher:
    """A frame with this message and these fields that is not a repeat."""

    def so(entry: TraceEntry) -> bool:
        return (
            entry.name == name
            and not entry.repeat
            and all(getattr(entry.message, key) == value for key, value in fields.items())
        )

    return so


def in_session(entry: TraceEntry) -> bool:
    """Any frame except those of a handshake."""
    return isinstance(entry.item, WireFrame) and entry.name not in HANDSHAKE


def is_event(entry: TraceEntry) -> bool:
    """An Event or EventsLost that is not a repeat."""
    return entry.name in ("event", "events_lost") and not entry.repeat


def numbers(entry: TraceEntry) -> tuple[int, int]:
    """The first and last event number of an Event or EventsLost."""
    message: Any = entry.message
    return (message.number,) * 2 if entry.name == "event" else (message.first, message.last)


def is_bare(entry: TraceEntry) -> bool:
    """An empty frame on channel 0: an acknowledgement, or a NAK."""
    clear = entry.clear
    return clear is not None and clear.channel == Channel.CONTROL and not clear.payload


def is_nak(entry: TraceEntry) -> bool:
    return is_bare(entry) and bool(entry.frame.flags & Flag.NAK)


def acknowledges(sequence: int) -> Matcher:
    """Any frame of the session that acknowledges everything before this sequence."""

    def so(entry: TraceEntry) -> bool:
        return entry.session > 0 and entry.clear is not None and entry.clear.acknowledgement == sequence

    return so


def of_handshake(entry: TraceEntry) -> bool:
    """Any answer to a Hello or Proof."""
    return entry.name in HANDSHAKE


def answers(nonce: bytes) -> Matcher:
    """A Hello or Refuse that echoes this nonce."""

    def so(entry: TraceEntry) -> bool:
        return isinstance(entry.message, common.Hello | common.Refuse) and entry.message.echo == nonce

    return so
