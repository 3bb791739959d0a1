"""Requests to a simulated device: verbs with typed fields.

A request is an object {"do": VERB, FIELD: VALUE, ...}. A RequestError names what is wrong with it, the
value and what is allowed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from drivers.sim.cards import NotACardError, parse

Request = Mapping[str, Any]
Response = dict[str, Any]
REQUIRED = object()


class RequestError(ValueError):
    """Nothing was done. The text says why and what is allowed."""


class Field(Protocol):
    """One value of a request. With `default` REQUIRED it cannot be left out."""

    @property
    def default(self) -> object: ...

    def read(self, value: object) -> object:
        """The value for the verb; raises RequestError."""


@dataclass(frozen=True, slots=True)
class IntegerField:
    """A whole number from `least` to `most`."""

    least: int
    most: int
    default: object = REQUIRED

    def read(self, value: object) -> object:
        """`value`; None too if that is the default."""
        if value is None and self.default is None:
            return None
        if type(value) is not int or not self.least <= value <= self.most:
            raise RequestError(f"must be a whole number from {self.least} to {self.most}")
        return value


@dataclass(frozen=True, slots=True)
class NumberField:
    """A number from 0 to `most`, such as a probability or seconds."""

    most: float
    default: object = REQUIRED

    def read(self, value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= self.most:
            raise RequestError(f"must be a number from 0 to {self.most:g}")
        return float(value)


@dataclass(frozen=True, slots=True)
class ChoiceField:
    allowed: tuple[str, ...]
    default: object = REQUIRED

    def read(self, value: object) -> object:
        if value not in self.allowed:
            raise RequestError(f"must be one of {', '.join(self.allowed)}")
        return value


@dataclass(frozen=True, slots=True)
class FlagField:
    default: object = REQUIRED

    def read(self, value: object) -> object:
        if not isinstance(value, bool):
            raise RequestError("must be true or false")
        return value


@dataclass(frozen=True, slots=True)
class CardsField:
    """Up to `most` cards separated by white space."""

    most: int = 10 * 52
    default: object = REQUIRED

    def read(self, value: object) -> object:
        """`value`; None too if that is the default."""
        if value is None and self.default is None:
            return None
        if not isinstance(value, str):
            raise RequestError('must be cards separated by white space, such as "As Td"')
        try:
            cards = parse(value)
        except NotACardError as error:
            raise RequestError(str(error)) from error
        if not 0 < len(cards) <= self.most:
            raise RequestError(f"holds {len(cards)} cards; 1 to {self.most} are allowed")
        return cards


@dataclass(frozen=True, slots=True)
class Verb:
    """What to call with the time and the fields as keywords. It may return more for the answer."""

    do: Callable[..., Response | None]
    fields: Mapping[str, Field] = field(default_factory=dict)


def perform(verbs: Mapping[str, Verb], request: object, now: float) -> Response:
    """Carries a request out and returns {"ok": true, ...}; raises RequestError."""
    if not isinstance(request, dict):
        raise RequestError('a request is an object such as {"do": "reboot"}')
    word = request.get("do")
    verb = verbs.get(word) if isinstance(word, str) else None
    if verb is None:
        raise RequestError(f"do: {word!r} is unknown; allowed: {', '.join(sorted(verbs))}")
    values = _values(str(word), verb.fields, request)
    return {"ok": True, **(verb.do(now, **values) or {})}


def _values(word: str, fields: Mapping[str, Field], request: Request) -> dict[str, object]:
    unknown = sorted(set(request) - set(fields) - {"do"})
    if unknown:
        allowed = ", ".join(fields) or "none"
        raise RequestError(f"{word}: unknown field {', '.join(unknown)}; allowed: {allowed}")
    return {name: _value(word, name, field, request) for name, field in fields.items()}


def _value(word: str, name: str, field: Field, request: Request) -> object:
    if name not in request:
        if field.default is REQUIRED:
            raise RequestError(f"{word}: {name} is missing")
        return field.default
    try:
        return field.read(request[name])
    except RequestError as error:
        raise RequestError(f"{word}: {name} = {request[name]!r}: {error}") from error
