"""Reads a table's JSON back into a TableView; standard library only."""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException
from typing import Any, cast, get_args, get_origin, get_type_hints

from controller.table.record.views import TableView

PATH = "/api/v1/table"
HEALTH = "/health"
NO_TABLE = 503
"""The status while the table is halted or its daemon does not run."""

Reader = Callable[[object], Any]


class TableAbsentError(Exception):
    """No table answers at the address."""


class TableAnswerError(Exception):
    """The answer is not a TableView."""


def fetch(host: str, port: int, *, timeout: float = 2.0) -> TableView:
    """The current view of the table at this address; `timeout` in seconds. Raises TableAbsentError if nothing
    answers, TableAnswerError if the answer is not a TableView."""
    connection = HTTPConnection(host, port, timeout=timeout)
    try:
        connection.request("GET", PATH)
        response = connection.getresponse()
        body = response.read()
    except (OSError, HTTPException) as absent:
        raise TableAbsentError(f"no table answers at {host}:{port}: {absent}") from absent
    finally:
        connection.close()
    if response.status == NO_TABLE:
        raise TableAbsentError(f"no table plays at {host}:{port}")
    if response.status != 200:
        raise TableAnswerError(f"{host}:{port}{PATH} answers status {response.status}, not 200")
    return parse(body)


def fetch_status(host: str, port: int, *, timeout: float = 2.0) -> str:
    """What the web server at this address says of the table: "ok" or "suspended" while it plays, "halted", or
    "absent" if its daemon does not answer, or no web server does."""
    connection = HTTPConnection(host, port, timeout=timeout)
    try:
        connection.request("GET", HEALTH)
        return str(json.loads(connection.getresponse().read()).get("status", "absent"))
    except (OSError, HTTPException, ValueError):
        return "absent"
    finally:
        connection.close()


def parse(body: bytes) -> TableView:
    """A TableView from its JSON. Unknown keys are ignored. Raises TableAnswerError if the JSON is invalid."""
    try:
        value = json.loads(body)
    except ValueError as fault:
        raise TableAnswerError(f"not JSON: {fault}") from fault
    try:
        return cast("TableView", _reader(TableView)(value))
    except _UnfitError as unfit:
        raise TableAnswerError(f"table{unfit.place} {unfit.why}") from None


class _UnfitError(Exception):
    """A value does not fit its type. `place`: where it is in what was read, such as `.keys[1]`."""

    def __init__(self, why: str, place: str = "") -> None:
        super().__init__(place, why)
        self.place = place
        self.why = why

    def inside(self, place: str) -> "_UnfitError":
        """The same fault, seen from around this place."""
        return _UnfitError(self.why, place + self.place)


@cache
def _reader(hint: Any) -> Reader:
    """What reads values of a type; it raises _UnfitError. Who waits for a state of the table reads one view
    after another, so each type is looked at only once."""
    if is_dataclass(hint):
        return _record({name: _reader(each) for name, each in get_type_hints(hint).items()}, hint)
    generic = _GENERIC.get(get_origin(hint))
    return generic(*get_args(hint)) if generic else _exactly(hint)


def _exactly(kind: type) -> Reader:
    def read(value: object) -> object:
        if type(value) is not kind:  # exact, since a bool is an int too
            raise _UnfitError(f"is {value!r}, not of type {kind.__name__}")
        return value

    return read


def _record(readers: Mapping[str, Reader], kind: Any) -> Reader:
    members_of = _exactly(dict)

    def read(value: object) -> Any:
        members = members_of(value)
        if missing := [name for name in readers if name not in members]:
            raise _UnfitError(f"lacks {', '.join(missing)}")
        found = {}
        for name, reader in readers.items():
            try:
                found[name] = reader(members[name])
            except _UnfitError as unfit:
                raise unfit.inside(f".{name}") from None
        return kind(**found)

    return read


def _sequence(hint: Any, _ellipsis: object) -> Reader:
    items_of = _exactly(list)
    reader = _reader(hint)

    def read(value: object) -> tuple[Any, ...]:
        found = []
        for index, item in enumerate(items_of(value)):
            try:
                found.append(reader(item))
            except _UnfitError as unfit:
                raise unfit.inside(f"[{index}]") from None
        return tuple(found)

    return read


def _mapping(_key: object, hint: Any) -> Reader:
    members_of = _exactly(dict)
    reader = _reader(hint)

    def read(value: object) -> dict[str, Any]:
        found = {}
        for key, member in members_of(value).items():
            try:
                found[key] = reader(member)
            except _UnfitError as unfit:
                raise unfit.inside(f"[{key!r}]") from None
        return found

    return read


def _optional(hint: Any, _none: object) -> Reader:
    reader = _reader(hint)
    return lambda value: None if value is None else reader(value)


_GENERIC: Mapping[object, Callable[..., Reader]] = {
    tuple: _sequence,
    dict: _mapping,
    types.UnionType: _optional,
}
