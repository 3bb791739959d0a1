"""Records to rows of the journal and back.

A record's body is JSON: bytes are hex, tuples are lists, records are objects. A message of a device is an
object with its name, {"card_drawn": {...}}, so that its type can be told. A field that an older version did
not write has its default; a field that this version does not know is ignored.

The reader is written by hand rather than with pydantic's TypeAdapter. Bytes as hex and messages by name would
need pydantic's configuration on every record, those of the drivers too, and checks of types would refuse rows
that older versions wrote.
"""

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache, partial
from types import UnionType
from typing import Any, cast, get_args, get_origin, get_type_hints

from controller.journal.chain import RowContent
from controller.table.record.events import DeviceEvent, Input
from controller.table.record.kinds import BY_RECORD, INPUTS, NOTES
from controller.table.record.notes import Note, RoundEnded
from controller.table.record.sealed import cover
from drivers.messages import COMMANDS, EVENTS

_MESSAGES: dict[str, type] = {**EVENTS, **COMMANDS}
_NAMES: dict[type, str] = {record: name for name, record in _MESSAGES.items()}
_COLUMNS = ("device", "log", "number")
"""Fields of a DeviceEvent that have columns of their own."""
_EVENT = tuple(field.name for field in fields(DeviceEvent) if field.name not in _COLUMNS)


def to_row(at: float, record: Input | Note) -> RowContent:
    if not isinstance(record, DeviceEvent):
        return RowContent(at, BY_RECORD[type(record)].name, to_json(record))
    content = {name: getattr(record, name) for name in _EVENT}
    return RowContent(at, "event", to_json(content), record.device, record.log, record.number)


def read_input(row: RowContent) -> Input:
    """The input in a row of one of the kinds of INPUTS, with FACE_DOWN for a sealed card. Raises as
    `from_json` does."""
    content = json.loads(row.body)
    cover(row, content)
    if row.kind == "event":
        content |= {"device": row.device, "log": row.log.hex(), "number": row.number}
    return cast("Input", from_json(INPUTS[row.kind], content))


def read_record(row: RowContent) -> Input | Note:
    """The record in a row of one of the kinds of INPUTS or NOTES. Raises as `from_json` does."""
    if row.kind in INPUTS:
        return read_input(row)
    return cast("Note", from_json(NOTES[row.kind], json.loads(row.body)))


def read_ended(row: RowContent) -> RoundEnded:
    """The record in a row of kind "round". Raises as `from_json` does."""
    return cast("RoundEnded", from_json(RoundEnded, json.loads(row.body)))


def from_json(kind: Any, value: Any) -> Any:
    """The record of type `kind` whose text has this JSON value. Raises TypeError, KeyError or ValueError."""
    return _reader(kind)(value)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    if kind is bytes:
        return bytes.fromhex
    if is_dataclass(kind):
        return partial(
            _read_record, kind, {name: _reader(hint) for name, hint in get_type_hints(kind).items()}
        )
    if get_origin(kind) is tuple:
        return partial(_read_items, _reader(get_args(kind)[0]))
    if get_origin(kind) is dict:
        return partial(_read_values, _reader(get_args(kind)[1]))
    if get_origin(kind) is UnionType:
        return _union_reader(get_args(kind))
    return _as_it_is


def _union_reader(choices: tuple[Any, ...]) -> Callable[[Any], Any]:
    if not _NAMES.keys().isdisjoint(choices):
        return _read_message
    inner = next(choice for choice in choices if choice is not type(None))
    return partial(_read_some, _reader(inner))


def _read_message(value: Any) -> Any:
    """A device's message, or the bytes of one that no version up to this one knows."""
    if isinstance(value, str):
        return bytes.fromhex(value)
    name, content = next(iter(value.items()))
    return _reader(_MESSAGES[name])(content)


def _read_record(kind: Any, readers: dict[str, Callable[[Any], Any]], value: Any) -> Any:
    return kind(**{name: read(value[name]) for name, read in readers.items() if name in value})


def _read_items(read: Callable[[Any], Any], value: Any) -> Any:
    return tuple(read(item) for item in value)


def _read_values(read: Callable[[Any], Any], value: Any) -> Any:
    return {key: read(item) for key, item in value.items()}


def _read_some(read: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else read(value)


def _as_it_is(value: Any) -> Any:
    return value


def _plain(value: Any) -> Any:
    """The JSON value of bytes or of a record."""
    if isinstance(value, bytes):
        return value.hex()
    content = {name: getattr(value, name) for name in value.__dataclass_fields__}
    name = _NAMES.get(type(value))
    return {name: content} if name else content


to_json = json.JSONEncoder(separators=(",", ":"), check_circular=False, default=_plain).encode
"""The JSON text of a record, or of a value in a record."""
