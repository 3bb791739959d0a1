"""Messages as bytes: a protobuf writer that takes numbers and types from the list in ../../README.md."""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

README = Path(__file__).parent.parent.parent / "README.md"
Value = int | bool | str | bytes | dict[str, "Value"]
Message = dict[str, Value]

CLASSES = ("all", "shoe", "shuffler", "sensors", "display", "console")
MESSAGE = re.compile(r"(?:(\d+) )?(\w+)(\*?)\(([^)]*)\)")
RENAMED = {"class": "device_class"}


class Field(NamedTuple):
    """One field of a message: its number, its type's letter and its greatest size (0: not sized)."""

    number: int
    letter: str
    size: int


Fields = dict[str, Field]


def message_list() -> str:
    """The text between the fences that begin with "Frame:", line feeds included."""
    found = re.search(r"^```\n(Frame: .*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError(f"{README}: no message list")
    return found.group(1)


def schema() -> bytes:
    """The eight bytes a Hello carries."""
    return hashlib.sha256(message_list().encode()).digest()[:8]


def snake(name: str) -> str:
    """CardDrawn as the .proto files call the field: card_drawn."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def read_messages(listing: str) -> dict[str, Fields]:
    """Every message of the list by its field name, with its own fields."""
    return {
        snake(name): read_fields(fields)
        for _, name, _, fields in MESSAGE.findall(listing.split("\nside 1", maxsplit=1)[0])
    }


def read_choices(listing: str) -> dict[str, dict[str, int]]:
    """The numbered messages that frame, event and command may hold."""
    choices: dict[str, dict[str, int]] = {"frame": {}, "event": {}, "command": {}}
    for line in listing.splitlines():
        head, _, rest = line.partition(": ")
        owner, _, device = head.partition(" ")
        if owner == "Frame":
            choices["frame"] = {snake(name): int(number) for number, name in re.findall(r"(\d+) (\w+)", rest)}
        elif owner in ("Event", "Command") and device in CLASSES:
            named = {snake(name): int(number) for number, name, _, _ in MESSAGE.findall(rest)}
            choices[owner.lower()].update(named)
    return choices


def read_fields(text: str) -> Fields:
    """ "side u, id s24" as fields numbered from 1."""
    fields = {}
    for number, field in enumerate(filter(None, text.split(", ")), 1):
        name, kind = field.split(" ")
        fields[RENAMED.get(name, name)] = Field(number, kind[0], int(kind[1:] or 0))
    return fields


LISTING = message_list()
MESSAGES = read_messages(LISTING)
CHOICES = read_choices(LISTING)


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def payload(message: Message) -> bytes:
    """A Frame message, {"event": {"number": 1, "card_drawn": {...}}}, as bytes."""
    ((name, body),) = message.items()
    return nested(CHOICES["frame"][name], write(name, fields_of(body)))


def write(name: str, values: Message) -> bytes:
    """One message's fields in the order of their numbers; zero and empty ones are left out."""
    known = MESSAGES[name]
    plain = [(known[field], value) for field, value in values.items() if field in known]
    inner = [
        nested(CHOICES[name][field], write(field, fields_of(value)))
        for field, value in values.items()
        if field not in known
    ]
    return b"".join(written(field, value) for field, value in sorted(plain)) + b"".join(inner)


def written(field: Field, value: Value) -> bytes:
    """One field; empty if it has its default value."""
    if not value:
        return b""
    if isinstance(value, str):
        return nested(field.number, value.encode())
    if isinstance(value, bytes):
        return nested(field.number, value)
    if isinstance(value, dict):
        raise ValueError(f"field {field.number} holds a number or bytes, not {value}")
    return varint(field.number << 3) + varint(zigzag(value) if field.letter == "i" else int(value))


def nested(number: int, data: bytes) -> bytes:
    """A field of bytes, text or another message."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def zigzag(number: int) -> int:
    """A signed number as sint32 carries it."""
    return number * 2 if number >= 0 else -number * 2 - 1


def fields_of(value: Value) -> Message:
    """A nested message's fields; raises ValueError for anything else."""
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no message")
    return value


def as_json(value: Value) -> object:
    """A message as JSON, with bytes as hex digits."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: as_json(inner) for name, inner in value.items()}
    return value
