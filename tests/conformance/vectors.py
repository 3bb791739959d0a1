"""The committed vectors, and messages in the form of the vectors."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from drivers.protocol import tsl_pb2 as tsl

CONTRACT = Path(__file__).parent.parent.parent / "firmware-protocol"
VECTORS = CONTRACT / "vectors"
README = CONTRACT / "README.md"

Vector = dict[str, Any]
LARGEST = 2**53 - 1
"""Larger integers are strings: a JSON reader that has only floats would round them."""


def load(*files: str) -> list[Vector]:
    """The vectors of the named files, in order."""
    paths = [VECTORS / f"{name}.jsonl" for name in files]
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]


def generator(name: str) -> ModuleType:
    """A module of the generator that imports no other one of it."""
    spec = importlib.util.spec_from_file_location(name, VECTORS / "generator" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def name_of(vector: Vector) -> str:
    """A vector's name, as the name of its test."""
    return str(vector["name"])


def shown(message: Message) -> Vector:
    """A message as vectors write it: bytes as hex, zero and empty fields left out."""
    return {field.name: _shown(value) for field, value in message.ListFields()}


def number(value: int | str) -> int:
    """An integer of a vector; a large one is a string."""
    return int(value)


def trimmed(message: Vector) -> Vector:
    """A vector's message without zero and empty fields; an empty message stays."""
    kept = {name: trimmed(value) if isinstance(value, dict) else value for name, value in message.items()}
    return {name: value for name, value in kept.items() if value or isinstance(value, dict)}


def built(message: Vector) -> tsl.Frame:
    """The protobuf message that a vector describes."""
    frame = tsl.Frame()
    _fill(frame, message)
    return frame


def contains(whole: Vector, part: Vector) -> bool:
    """Whether `whole` has each field of `part`, nested ones too."""
    return all(
        name in whole and contains(whole[name], value)
        if isinstance(value, dict)
        else whole.get(name, _like(value)) == value
        for name, value in part.items()
    )


def _like(value: Any) -> Any:
    return type(value)()


def _shown(value: Any) -> Any:
    if isinstance(value, Message):
        return shown(value)
    if isinstance(value, int) and value > LARGEST:
        return str(value)
    return value.hex() if isinstance(value, bytes) else value


def _fill(message: Message, values: Vector) -> None:
    message.SetInParent()
    for name, value in values.items():
        if isinstance(value, dict):
            _fill(getattr(message, name), value)
        else:
            setattr(message, name, _value(message, name, value))


def _value(message: Message, name: str, value: Any) -> Any:
    kind = message.DESCRIPTOR.fields_by_name[name].type
    if kind == FieldDescriptor.TYPE_UINT64:
        return number(value)
    return bytes.fromhex(value) if kind == FieldDescriptor.TYPE_BYTES else value
