"""Frozen records to JSON values and back: bytes as hex, tuples as lists, records as objects.

A message of a device stands under its name, {"card_drawn": {...}}, so that its type can be told.
"""

import json
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache, partial
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from drivers.messages import COMMANDS, EVENTS

_MESSAGES: dict[str, type] = {**EVENTS, **COMMANDS}
_NAMES: dict[type, str] = {record: name for name, record in _MESSAGES.items()}


def from_json(kind: Any, value: Any) -> Any:
    """The record of type `kind` whose text has this JSON value; raises TypeError, KeyError or ValueError.

    A field that an older version did not write has its default.
    """
    return _reader(kind)(value)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What makes a value of type `kind` of a JSON value."""
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
    """A device's message, or the bytes of one that nobody knows."""
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
    """What stands in JSON for bytes and records."""
    if isinstance(value, bytes):
        return value.hex()
    content = {name: getattr(value, name) for name in value.__dataclass_fields__}
    name = _NAMES.get(type(value))
    return {name: content} if name else content


to_json = json.JSONEncoder(separators=(",", ":"), check_circular=False, default=_plain).encode
"""The JSON text of a record or of what a record holds."""
