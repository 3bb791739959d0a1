"""Frozen records to JSON values and back: bytes as hex, tuples as lists, records as objects."""

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache, partial
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints


def flat(value: Any) -> Any:
    """A JSON value for a record or for what a record holds."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [flat(item) for item in value]
    if isinstance(value, dict):
        return {key: flat(item) for key, item in value.items()}
    return {name: flat(getattr(value, name)) for name in value.__dataclass_fields__}


def whole(kind: Any, value: Any) -> Any:
    """The record of type `kind` that `flat` made `value` of; raises TypeError, KeyError or ValueError."""
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
        inner = next(choice for choice in get_args(kind) if choice is not type(None))
        return partial(_read_some, _reader(inner))
    return _as_it_is


def _read_record(kind: Any, readers: dict[str, Callable[[Any], Any]], value: Any) -> Any:
    return kind(**{name: read(value[name]) for name, read in readers.items()})


def _read_items(read: Callable[[Any], Any], value: Any) -> Any:
    return tuple(read(item) for item in value)


def _read_values(read: Callable[[Any], Any], value: Any) -> Any:
    return {key: read(item) for key, item in value.items()}


def _read_some(read: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else read(value)


def _as_it_is(value: Any) -> Any:
    return value
