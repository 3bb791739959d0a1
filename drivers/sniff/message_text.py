"""Messages of TSL/1 as text, for people who look at a line."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from drivers.link.codec import Unreadable, parse
from drivers.link.routes import BOTH, ROUTES
from drivers.protocol import codes
from drivers.protocol.codes import Side
from drivers.protocol.common_pb2 import Hello, NoSession, Proof

EMPTY = NoSession()
SHORT = 4
"""How many bytes of a nonce, a log or a mac are shown: enough to tell two apart."""
ENUMS: Mapping[tuple[str, str], type[IntEnum]] = {
    ("Hello", "side"): codes.Side,
    ("Hello", "seal"): codes.Seal,
    ("Hello", "device_class"): codes.DeviceClass,
    ("Hello", "reset"): codes.Reset,
    ("Proof", "side"): codes.Side,
    ("Refuse", "reason"): codes.RefuseReason,
    ("Bye", "reason"): codes.ByeReason,
    ("Heartbeat", "mode"): codes.Mode,
    ("Result", "status"): codes.Status,
    ("Booted", "reset"): codes.Reset,
    ("ShufflerState", "state"): codes.ShufflerPhase,
    ("Level", "state"): codes.LevelState,
}
"""Numbers that are shown as words, by message and field."""


@dataclass(frozen=True, slots=True)
class MessageText:
    """A message: its kind, all its fields, and who may send it."""

    kind: str
    text: str
    sides: frozenset[Side] = BOTH


def describe(payload: bytes) -> MessageText:
    """Describes an unsealed payload. Nothing raises."""
    read = parse(payload)
    if isinstance(read, Unreadable):
        return MessageText("unreadable", f"unreadable, {read.reason}: {payload.hex()}")
    name, message = read
    kind, body = _kind(name, message)
    values = ", ".join((*_values(message), *_values(body)))
    return MessageText(kind, plain(f"{kind} ({values})" if values else kind), _sides(name, message))


def plain(text: str) -> str:
    """The text without anything that could move a terminal's cursor."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def word(enum: type[IntEnum], number: int) -> str:
    """The word that a number stands for."""
    known = next((each.name for each in enum if each == number), None)
    return known.lower().replace("_", " ") if known else f"unknown {number}"


def _kind(name: str, message: Message) -> tuple[str, Message]:
    """The kind in words, and the body of an event or a command, else an empty message."""
    text = name.replace("_", " ")
    if "body" not in message.DESCRIPTOR.oneofs_by_name:
        return text, EMPTY
    body = message.WhichOneof("body")
    if body is None:
        return f"{text}: of a later version", EMPTY
    return f"{text}: {body.replace('_', ' ')}", getattr(message, body)


def _sides(name: str, message: Message) -> frozenset[Side]:
    if isinstance(message, Hello | Proof):
        return frozenset(side for side in Side if side == message.side) or BOTH
    return ROUTES[name][1] if name in ROUTES else BOTH


def _values(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        if field.message_type is None:
            yield f"{_label(field)} {_value(message, field, value)}"


def _label(field: FieldDescriptor) -> str:
    name: str = field.name
    return name.removesuffix("_us").replace("_", " ")


def _value(message: Message, field: FieldDescriptor, value: Any) -> str:
    if field.name.endswith("_us"):
        return f"{value / 1e6:.6f} s"
    if enum := ENUMS.get((message.DESCRIPTOR.name, field.name)):
        return word(enum, value)
    write: Callable[[Any], str] = SPECIAL.get((message.DESCRIPTOR.name, field.name), GENERAL[type(value)])
    return write(value)


def _short(value: bytes) -> str:
    return f"{value[:SHORT].hex()}.." if len(value) > SHORT else value.hex()


def _keys(mask: int) -> str:
    lit = [key for place, key in enumerate(codes.KEYS) if mask >> place & 1]
    return " ".join(lit) or "none"


def _lamps(lamps: bytes) -> str:
    """How many lamps show what. The specification says which seat they belong to."""
    counts = {number: lamps.count(number) for number in sorted(set(lamps))}
    return ", ".join(f"{count} {word(codes.Lamp, number)}" for number, count in counts.items())


GENERAL: Mapping[type, Callable[[Any], str]] = {
    bytes: _short,
    str: lambda value: f'"{value}"',
    bool: lambda value: "yes" if value else "no",
    int: str,
}
SPECIAL: Mapping[tuple[str, str], Callable[[Any], str]] = {
    ("KeyLamps", "mask"): _keys,
    ("Lamps", "lamps"): _lamps,
    ("Block", "data"): lambda data: f"of {len(data)} bytes",
    ("DeckCheck", "counts"): lambda counts: f"of {sum(counts)} cards",
    ("Hello", "schema"): bytes.hex,
    ("CardDrawn", "card"): str,
    ("CardUnpermitted", "card"): str,
    ("Key", "action"): str,
    ("Hello", "id"): str,
    ("Hello", "hardware"): str,
    ("Hello", "firmware"): str,
}
"""Fields with a text of their own, by message and field."""
