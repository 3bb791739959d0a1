"""Reads a table's JSON back into a TableView; standard library only."""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from controller.table.record.views import TableView

PATH = "/api/v1/table"
HEALTH = "/health"
NO_TABLE = 503
"""The status while the table is halted or its daemon does not run."""

T = TypeVar("T")


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
    return _of_type(TableView, _record(TableView, value, "table"), "table")


def _value(hint: Any, value: object, where: str) -> Any:
    if is_dataclass(hint):
        return _record(hint, value, where)
    read = _GENERIC.get(get_origin(hint))
    if read is not None:
        return read(get_args(hint), value, where)
    return _of_type(hint, value, where)


def _record(kind: Any, value: object, where: str) -> Any:
    names = _hints(kind)
    members = _of_type(dict, value, where)
    missing = ", ".join(name for name in names if name not in members)
    if missing:
        raise TableAnswerError(f"{where} lacks {missing}")
    return kind(**{name: _value(hint, members[name], f"{where}.{name}") for name, hint in names.items()})


def _sequence(arguments: tuple[Any, ...], value: object, where: str) -> tuple[Any, ...]:
    items = _of_type(list, value, where)
    return tuple(_value(arguments[0], item, f"{where}[{index}]") for index, item in enumerate(items))


def _mapping(arguments: tuple[Any, ...], value: object, where: str) -> dict[str, Any]:
    members = _of_type(dict, value, where)
    return {key: _value(arguments[1], member, f"{where}[{key!r}]") for key, member in members.items()}


def _optional(arguments: tuple[Any, ...], value: object, where: str) -> Any:
    return None if value is None else _value(arguments[0], value, where)


def _of_type(kind: type[T], value: object, where: str) -> T:
    if type(value) is not kind:  # exact, since a bool is an int too
        raise TableAnswerError(f"{where} is {value!r}, not of type {kind.__name__}")
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


_GENERIC: Mapping[object, Callable[[tuple[Any, ...], object, str], Any]] = {
    tuple: _sequence,
    dict: _mapping,
    types.UnionType: _optional,
}
