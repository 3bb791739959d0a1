"""Which message may travel on which channel, and who may send it. Reads payloads by that."""

from dataclasses import dataclass

from google.protobuf.message import Message

from drivers.link import codec
from drivers.link.counters import Counters
from drivers.link.frames import WireFrame
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag, Side

CRITICAL = int(Flag.CRITICAL)
SEALED = int(Flag.SEALED)
HOST = frozenset({Side.HOST})
DEVICE = frozenset({Side.DEVICE})
BOTH = HOST | DEVICE
HANDSHAKE: dict[str, frozenset[Side]] = {"hello": BOTH, "proof": BOTH, "refuse": BOTH, "no_session": DEVICE}
"""The messages that are read without a session, and who sends them."""
HELLO_TAG = 0x0A
HANDSHAKE_TAGS = frozenset({HELLO_TAG, 0x12, 0x1A, 0x22})
"""The first byte of a Frame that has one of them."""
UNREADABLE_HELLO = "unreadable hello"
UNREADABLE_EVENT = "unreadable event"
ROUTES: dict[str, tuple[Channel, frozenset[Side]]] = {
    "heartbeat": (Channel.CONTROL, BOTH),
    "event_commit": (Channel.CONTROL, HOST),
    "bye": (Channel.CONTROL, BOTH),
    "event": (Channel.EVENTS, DEVICE),
    "events_lost": (Channel.EVENTS, DEVICE),
    "command": (Channel.COMMANDS, HOST),
    "result": (Channel.COMMANDS, DEVICE),
    "block": (Channel.BULK, HOST),
    "block_wanted": (Channel.BULK, DEVICE),
    "log": (Channel.BULK, DEVICE),
    "sample": (Channel.TELEMETRY, DEVICE),
}
"""The channel of each message of a session, and who sends it."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message of the peer.

    `name` is its field in tsl.Frame. It is "" if the message is unknown or unreadable (`message` is then an
    empty Frame), "stray" for a frame without a session, "unreadable hello" for a Hello that cannot be read,
    and "unreadable event" for an event of which the number can be read (`message` has no body).
    """

    channel: int
    critical: bool
    name: str
    message: Message
    raw: bytes


def is_handshake(frame: WireFrame) -> bool:
    """Whether the frame claims to be one of the four messages that are always clear and need no session."""
    clear = not frame.flags & SEALED
    return (
        clear
        and frame.channel == Channel.CONTROL
        and bool(frame.payload)
        and frame.payload[0] in HANDSHAKE_TAGS
    )


class MessageReader:
    """Reads the messages of the peer."""

    def __init__(self, peer: Side, counters: Counters) -> None:
        self._counters = counters
        self._handshake_names = {name for name, sides in HANDSHAKE.items() if peer in sides}
        self._allowed = {name: channel for name, (channel, sides) in ROUTES.items() if peer in sides}

    def handshake(self, frame: WireFrame) -> Received | None:
        """Reads one of the four, or an unreadable Hello. Counts what cannot be used and returns None."""
        read = codec.parse(frame.payload)
        empty = not (frame.sequence or frame.acknowledgement or frame.credit)
        if empty and not isinstance(read, codec.Unreadable) and read[0] in self._handshake_names:
            return _received(frame, *read)
        self._counters.handshake += 1
        hello = empty and isinstance(read, codec.Unreadable) and frame.payload[0] == HELLO_TAG
        return _received(frame, UNREADABLE_HELLO, tsl.Frame()) if hello else None

    def message(self, frame: WireFrame) -> Received | None:
        """Reads a message of the session; its name is "" if it cannot be read. None if the peer may not
        send it here."""
        read = codec.parse(frame.payload)
        if isinstance(read, codec.Unreadable):
            self._counters.count_unreadable(unknown=read.unknown)
            if read.event is not None and self._allowed.get("event") == frame.channel:
                return _received(frame, UNREADABLE_EVENT, read.event)
            return _received(frame, "", tsl.Frame())
        if self._allowed.get(read[0]) != frame.channel:
            self._counters.direction += 1
            return None
        return _received(frame, *read)


def stray_message(frame: WireFrame) -> Received:
    """Wraps a frame that came without a session."""
    return _received(frame, "stray", tsl.Frame())


def _received(frame: WireFrame, name: str, message: Message) -> Received:
    return Received(frame.channel, bool(frame.flags & CRITICAL), name, message, frame.payload)
