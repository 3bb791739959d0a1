"""Messages with a few plain fields, which a program reads without a library for it.

The uplink runs beside the table all the time, and a library that reads any message would be a third of its
memory. A field of one name has the same rule in each of these messages.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from math import inf
from typing import Any, Final, Self

from controller.property.subjects import EPOCH_LENGTH

MOST_NUMBER: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps exact."""
VERSION: Final = 1
RESEND_CODES: Final = ("fork", "gone", "down")
_HEX: Final = re.compile(r"[0-9a-f]*")
_encode = json.JSONEncoder(separators=(",", ":")).encode


class MalformedMessage(ValueError):
    """Bytes that are not a message of version 1: the sender's fault."""


@dataclass(frozen=True, slots=True)
class FieldRule:
    """`fits`: whether a value is allowed; `allowed`: which are, for a sentence."""

    allowed: str
    fits: Callable[[Any], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallMessage:
    """A message. `v`, the version of its form, comes first. Raises MalformedMessage for a value that is not
    allowed."""

    v: int

    def __post_init__(self) -> None:
        for each in fields(self):
            value, rule = getattr(self, each.name), RULES[each.name]
            if not rule.fits(value):
                raise MalformedMessage(f"{each.name} = {value!r:.80}; allowed: {rule.allowed}")

    @classmethod
    def read(cls, payload: bytes) -> Self:
        """The message in these bytes; fields of later versions are ignored. Raises MalformedMessage."""
        try:
            found = json.loads(payload)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise MalformedMessage(f"message = {payload!r:.80}; allowed: a JSON object")
        needed = {each.name: None for each in fields(cls) if each.default is MISSING}
        given = {each.name: found[each.name] for each in fields(cls) if each.name in found}
        return cls(**(needed | given))

    @property
    def payload(self) -> bytes:
        """The message as it is sent."""
        return _encode(asdict(self)).encode()


def is_count(value: object) -> bool:
    """True and False are not numbers here."""
    return type(value) is int and 0 <= value <= MOST_NUMBER


def _is_hex(length: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and len(value) == length and bool(_HEX.fullmatch(value))


def _is_time(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value < inf  # type: ignore[operator]


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


_COUNT: Final = FieldRule("a whole number, not negative", is_count)
_FLAG: Final = FieldRule("true or false", _is_flag)
RULES: Final[Mapping[str, FieldRule]] = {
    "v": FieldRule(str(VERSION), lambda value: type(value) is int and value == VERSION),
    "epoch": FieldRule(f"{EPOCH_LENGTH} hexadecimal digits", _is_hex(EPOCH_LENGTH)),
    "row": _COUNT,
    "oldest": _COUNT,
    "hash": FieldRule("64 hexadecimal digits", _is_hex(64)),
    "at": FieldRule("seconds of Unix time", _is_time),
    "ok": _FLAG,
    "admitted": _FLAG,
    "code": FieldRule(
        "null, " + ", ".join(RESEND_CODES),
        lambda value: value is None or (isinstance(value, str) and value in RESEND_CODES),
    ),
}
