"""Messages of the wire from and to records of drivers.messages.

Section 14 of firmware-protocol/README.md; what can be read is decided by drivers/link/strict.py alone. A
message that cannot be read becomes a value, never an exception. A record that may not be on the wire is our
own bug and raises.
"""

from dataclasses import dataclass, fields
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from drivers.link import strict
from drivers.messages import COMMANDS, EVENTS, CommandBody, EventBody
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.field_table import ROWS

Body = TypeVar("Body", bound=EventBody | CommandBody)

LONGEST_MESSAGE = 209
_EVENT = tsl.Frame.EVENT_FIELD_NUMBER
_HEADER = {row.number: row for row in ROWS if row.message == "Event" and row.kind != "member"}
"""The fields of an event beside its body."""
_FIELDS: dict[type, tuple[str, tuple[str, ...]]] = {
    record: (name, tuple(field.name for field in fields(record)))
    for name, record in (*EVENTS.items(), *COMMANDS.items())
}


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A message that cannot be used. `unknown`: it is well formed, but of a later minor version.

    `rule` is the rule of section 5 that an unreadable message breaks, 0 if it is too long. `event` has the
    number of an event whose other parts cannot be read.
    """

    reason: str
    unknown: bool = False
    rule: int = 0
    event: tsl.Event | None = None


UNKNOWN = Unreadable("unknown message", unknown=True)


def parse(payload: bytes) -> tuple[str, Message] | Unreadable:
    """Returns the name of the message in a payload, and the message."""
    if len(payload) > LONGEST_MESSAGE:
        return Unreadable(f"message of {len(payload)} bytes: at most {LONGEST_MESSAGE}")
    try:
        strict.check(payload)
    except strict.UnreadableError as error:
        return Unreadable(str(error), rule=error.rule, event=_numbered_event(payload))
    frame = _frame(payload)
    name = frame.WhichOneof("message")
    return UNKNOWN if name is None else (name, getattr(frame, name))


def event_body(message: tsl.Event) -> EventBody | Unreadable:
    name = message.WhichOneof("body")
    if name not in EVENTS:
        return UNKNOWN
    return _record(EVENTS[name], getattr(message, name))


def command_body(message: tsl.Command) -> CommandBody | Unreadable:
    name = message.WhichOneof("body")
    if name not in COMMANDS:
        return UNKNOWN
    return _record(COMMANDS[name], getattr(message, name))


def event_message(number: int, uptime_us: int, boot: bytes, body: EventBody) -> tsl.Frame:
    """Builds the message of an event. Raises ValueError for a body that may not be on the wire."""
    frame = tsl.Frame()
    frame.event.number = number
    frame.event.uptime_us = uptime_us
    frame.event.boot = boot
    _fill(frame.event, body)
    return frame


def command_message(key: int, body: CommandBody) -> tsl.Frame:
    """Builds the message of a command. Raises ValueError for a body that may not be on the wire."""
    frame = tsl.Frame()
    frame.command.key = key
    _fill(frame.command, body)
    return frame


def _frame(payload: bytes) -> tsl.Frame:
    """The Frame of a payload that passed the strict scan."""
    try:
        return tsl.Frame.FromString(payload)
    except DecodeError:
        return tsl.Frame.FromString(strict.short_tags(payload))


def _numbered_event(payload: bytes) -> tsl.Event | None:
    """The number of an unreadable event, and when and in which boot it happened if that can be read. None if
    the number cannot be read, or if the payload is no event."""
    try:
        held = [contents for number, _, _, contents in strict.fields(payload) if number == _EVENT]
        fields = [] if len(held) != 1 else list(strict.fields(held[0]))
    except strict.UnreadableError:
        return None
    event = tsl.Event()
    for number, wire, value, contents in fields:
        row = _HEADER.get(number)
        if row and strict.fits(row, wire, value, contents):
            setattr(event, row.name, value if wire == strict.VARINT else contents)
    return event if event.number else None


def _record(record: type[Body], message: Message) -> Body:
    return record(*[getattr(message, field) for field in _FIELDS[record][1]])


def _fill(holder: Message, body: EventBody | CommandBody) -> None:
    name, names = _FIELDS[type(body)]
    message = getattr(holder, name)
    message.SetInParent()
    for field in names:
        setattr(message, field, getattr(body, field))
    try:
        strict.check(message.SerializeToString(), message.DESCRIPTOR.name)
    except strict.UnreadableError as error:
        raise ValueError(f"{name}: {error}") from error
