"""Messages of the wire from and to records of drivers.messages, with the sizes that the specification allows.

Section 14 of firmware-protocol/README.md. A message that cannot be read becomes a value, never an
exception. A record that may not be on the wire is our own bug and raises.
"""

from dataclasses import dataclass, fields
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from drivers.messages import COMMANDS, EVENTS, CommandBody, EventBody
from drivers.protocol import tsl_pb2 as tsl

Body = TypeVar("Body", bound=EventBody | CommandBody)

LONGEST_MESSAGE = 209
RANKS = "A23456789TJQK"
SUITS = "shdc"
CARDS = frozenset(rank + suit for rank in RANKS for suit in SUITS)

SIZES: dict[str, dict[str, int]] = {
    "Hello": {
        "schema": 8,
        "nonce": 16,
        "echo": 16,
        "boot": 8,
        "id": 24,
        "hardware": 12,
        "firmware": 12,
        "log": 8,
    },
    "Proof": {"transcript": 8, "mac": 32, "share": 32},
    "Refuse": {"echo": 16, "text": 80},
    "Bye": {"text": 80},
    "Event": {"boot": 8},
    "Result": {"text": 80},
    "Block": {"data": 192},
    "Log": {"text": 160},
    "Fault": {"text": 80},
    "UpdateBegin": {"sha256": 32, "signature": 64},
    "MakerKey": {"key": 32, "signature": 64},
    "DeckCheck": {"counts": 52},
    "Lamps": {"lamps": 54},
    "Text": {"text": 64},
    "Key": {"action": 16},
    "Prompt": {"text": 120},
}
"""The greatest size of each string and bytes field. Cards are checked as cards."""

_SIZES = {name: tuple(sizes.items()) for name, sizes in SIZES.items()}
_FIELDS: dict[type, tuple[str, tuple[str, ...]]] = {
    record: (name, tuple(field.name for field in fields(record)))
    for name, record in (*EVENTS.items(), *COMMANDS.items())
}


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A message that cannot be used. `unknown`: it is well formed, but of a later minor version."""

    reason: str
    unknown: bool = False


UNKNOWN = Unreadable("unknown message", unknown=True)


def parse(payload: bytes) -> tuple[str, Message] | Unreadable:
    """Returns the name of the message in a payload, and the message."""
    if len(payload) > LONGEST_MESSAGE:
        return Unreadable(f"message of {len(payload)} bytes: at most {LONGEST_MESSAGE}")
    try:
        frame = tsl.Frame.FromString(payload)
    except DecodeError:
        return Unreadable("not a protobuf message")
    name = frame.WhichOneof("message")
    if name is None:
        return UNKNOWN
    message: Message = getattr(frame, name)
    fault = _oversize(message)
    return (name, message) if fault is None else fault


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


def _record(record: type[Body], message: Message) -> Body | Unreadable:
    values = [getattr(message, field) for field in _FIELDS[record][1]]
    return _oversize(message) or _not_a_card(message) or record(*values)


def _fill(holder: Message, body: EventBody | CommandBody) -> None:
    name, names = _FIELDS[type(body)]
    message = getattr(holder, name)
    message.SetInParent()
    for field in names:
        setattr(message, field, getattr(body, field))
    fault = _oversize(message) or _not_a_card(message)
    if fault is not None:
        raise ValueError(f"{name}: {fault.reason}")


def _oversize(message: Message) -> Unreadable | None:
    for field, most in _SIZES.get(message.DESCRIPTOR.name, ()):
        value = getattr(message, field)
        size = len(value.encode() if isinstance(value, str) else value)
        if size > most:
            return Unreadable(f"{message.DESCRIPTOR.name}.{field} of {size} bytes: at most {most}")
    return None


def _not_a_card(message: Message) -> Unreadable | None:
    name, field = message.DESCRIPTOR.name, "card"
    if name not in ("CardDrawn", "CardUnpermitted"):
        return None
    # The reason does not repeat the value: it could be a misspelt hole card, and reasons are logged.
    return None if getattr(message, field) in CARDS else Unreadable(f"{name}.{field} is not a card")
