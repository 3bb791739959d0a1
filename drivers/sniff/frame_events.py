"""The line of TSL/1 as the events of `tableside device decode --json` and `tableside device sniff --json`.

What a device of TSL/1 and a commercial shoe both say has the same name here: `card_drawn`, `started`,
`command_ok`. What only TSL/1 has is a `message` with the fields of the wire, or `sealed`.

Every byte belongs to exactly one event. The zero that ends a frame and the zeros before the
frame belong to it.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from drivers.adapters.capture import DUPLICATE, INCOMPLETE, CaptureEvent, JsonEvent, noise, rejected
from drivers.adapters.decoder import RejectReason
from drivers.link.codec import Unreadable, event_body, parse
from drivers.link.frames import LONGEST_RUN, WireFrame, decode
from drivers.link.seal import LOW, OVERHEAD
from drivers.protocol import codes
from drivers.protocol.codes import Channel, Flag
from drivers.sniff.message_text import EMPTY, ENUMS, word

LATER: Final = "a message of a later version"
REFUSALS: Final[Mapping[str, RejectReason]] = {
    "cobs": "format",
    "length": "length",
    "crc": "check",
    "version": "format",
    "too long": "length",
}
"""What is wrong with a run, by the frame decoder's reason."""
MOST_SENT_AGAIN: Final = 256
"""The most frames of a channel that may be sent again: credit is one byte."""
MOST_KEPT: Final = 65_536
"""The most bytes without a zero that are kept. More of them are noise."""
WIDE: Final = frozenset(
    {FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_SINT64}
)
"""Types whose numbers JSON readers would round. They become strings."""


def frame_events(data: bytes) -> list[CaptureEvent]:
    """Returns all events of a capture."""
    line = FrameEvents()
    return [*line.feed(data), *line.end()]


class FrameEvents:
    """Turns the bytes of one side into events, as they arrive."""

    def __init__(self) -> None:
        self._zeros = 0
        """The number of zeros before the run."""
        self._run = bytearray()
        self._sequences: defaultdict[int, deque[int]] = defaultdict(lambda: deque(maxlen=MOST_SENT_AGAIN))
        """The last sequence numbers of each channel."""

    def feed(self, data: bytes) -> list[CaptureEvent]:
        """Returns the events that these bytes end."""
        *ended, rest = data.split(b"\0")
        found = [event for part in ended if (event := self._zero(part))]
        self._run += rest
        if len(self._run) > MOST_KEPT:
            found += [noise(each.raw) for each in self.end()]
        return found

    def end(self) -> list[CaptureEvent]:
        """Ends the input. Returns the event of what is left."""
        rest = bytes(self._zeros) + self._run
        self._zeros = 0
        self._run.clear()
        return [CaptureEvent(rest, INCOMPLETE)] if rest else []

    def _zero(self, part: bytes) -> CaptureEvent | None:
        """Takes the bytes before a zero, and the zero. Returns the event if they end a run."""
        run = bytes(self._run + part)
        self._run.clear()
        if not run:
            self._zeros += 1
            return None
        raw = bytes(self._zeros) + run + b"\0"
        self._zeros = 0
        return self._event(raw, run)

    def _event(self, raw: bytes, run: bytes) -> CaptureEvent:
        frame = decode(run) if len(run) <= LONGEST_RUN else None
        if isinstance(frame, WireFrame):
            return self._frame(raw, frame)
        if not raw.startswith(b"\0"):
            return noise(raw)  # the capture began within it
        return rejected(raw, REFUSALS[frame.reason if frame else "too long"])

    def _frame(self, raw: bytes, frame: WireFrame) -> CaptureEvent:
        if self._is_repeat(frame):
            return CaptureEvent(raw, {**DUPLICATE, "frame": _header(frame)})
        event = _frame_event(frame)
        return CaptureEvent(raw, {**event, "frame": _header(frame)}) if event else rejected(raw, "format")

    def _is_repeat(self, frame: WireFrame) -> bool:
        sequences = self._sequences[frame.channel]
        repeat = bool(frame.flags & Flag.RETRANSMIT) and frame.sequence in sequences
        sequences.append(frame.sequence)
        return repeat


def _header(frame: WireFrame) -> JsonEvent:
    names = {channel.value: channel.name.lower() for channel in Channel}
    return {
        "channel": names.get(frame.channel, frame.channel),
        "sequence": frame.sequence,
        "acknowledgement": frame.acknowledgement,
        "credit": frame.credit,
        "flags": [flag.name.lower() for flag in Flag if frame.flags & flag and flag.name],
    }


def _frame_event(frame: WireFrame) -> JsonEvent | None:
    """Returns None for a message that cannot be read."""
    if frame.flags & Flag.SEALED:
        return _sealed(frame.payload)
    if not frame.payload and frame.channel == Channel.CONTROL:
        return {"event": "nak" if frame.flags & Flag.NAK else "acknowledgement"}
    read = parse(frame.payload)
    if isinstance(read, Unreadable):
        return {"event": "ignored", "why": LATER} if read.unknown else None
    return _MESSAGE_EVENTS.get(read[0], _message)(*read)


def _sealed(payload: bytes) -> JsonEvent | None:
    """Shows only what anyone can read: this code never has a key."""
    if len(payload) < OVERHEAD:
        return None
    return {
        "event": "sealed",
        "size": len(payload) - OVERHEAD,
        "counter": int.from_bytes(payload[:LOW], "little"),
    }


def _message(name: str, message: Any) -> JsonEvent:
    body = _body(message)
    return {
        "event": "message",
        "message": name,
        **({"body": message.WhichOneof("body")} if body is not EMPTY else {}),
        **_fields(message),
        **_fields(body),
    }


def _event(name: str, message: Any) -> JsonEvent | None:
    read = event_body(message)
    if isinstance(read, Unreadable):
        return {"event": "ignored", "why": LATER} if read.unknown else None
    shared = _SHARED.get(message.WhichOneof("body"))
    body = _body(message)
    return {**shared(body), **_fields(body), **_fields(message)} if shared else _message(name, message)


def _result(_name: str, message: Any) -> JsonEvent:
    fields = _fields(message)
    status = fields.pop("status")
    if status == codes.Status.DONE.name.lower():
        return {"event": "command_ok", **fields}
    return {"event": "command_refused", "code": status, **fields}


def _body(message: Message) -> Message:
    """The body of an event or a command, else an empty message."""
    if "body" not in message.DESCRIPTOR.oneofs_by_name:
        return EMPTY
    name = message.WhichOneof("body")
    return getattr(message, name) if name else EMPTY


def _fields(message: Message) -> dict[str, object]:
    """All fields, sent or not, with their default values."""
    plain = (field for field in message.DESCRIPTOR.fields if field.message_type is None)
    return {field.name: _value(field, getattr(message, field.name)) for field in plain}


def _value(field: FieldDescriptor, value: Any) -> object:
    enum = ENUMS.get((field.containing_type.name, field.name))
    if enum and value in set(enum):
        return word(enum, value)
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if field.type in WIDE else value


_MESSAGE_EVENTS: Final[Mapping[str, Callable[[str, Any], JsonEvent | None]]] = {
    "event": _event,
    "result": _result,
}
_SHARED: Final[Mapping[str, Callable[[Any], JsonEvent]]] = {
    "booted": lambda _: {"event": "started"},
    "card_drawn": lambda _: {"event": "card_drawn", "context": "game"},
    "card_unpermitted": lambda _: {"event": "card_drawn", "context": "lock"},
    "card_unreadable": lambda _: {"event": "card_unreadable"},
    "cut_card": lambda _: {"event": "cut_card"},
    "fault": lambda body: {"event": "device_error" if body.on else "error_cleared"},
}
"""Events of TSL/1 that a commercial shoe reports as well."""
