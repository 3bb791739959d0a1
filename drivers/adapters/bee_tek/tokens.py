"""The text of a Bee-Tek shoe. A token matches exactly; everything else is noise. Unverified on hardware.

The text has no checks, no numbers and no repeats. If the line turns a token into another one, it is
believed. If the line loses a token, nothing shows it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from drivers.adapters.decoder import Decoder, Malformed, Noise

LONGEST = 72
"""Bytes of the longest token."""
_CARD: Final = re.compile(rb" \[Game\]<Card:([A2-9TJQK]|10)([SHDC])> ")
_UNREAD: Final = re.compile(rb" \[Game\]<Game> ")
_ALARM: Final = re.compile(rb" \[GameAlarm\]<Alarm:E(\d{1,2}) ([A-Za-z ]{1,40})> ")
_WARNING: Final = re.compile(rb"<W0x([0-9A-F]{2})>")
_BEGINS: Final = b" ["
_WARNS: Final = b"<W0x"
_WARNING_SIZE: Final = 7


@dataclass(frozen=True, slots=True)
class CardToken:
    """A card left. `card` has two characters, or is empty if it could not be read."""

    raw: bytes
    card: str


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm with its number and text."""

    raw: bytes
    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning. Only its number is known."""

    raw: bytes
    code: int


Token = CardToken | Alarm | Warned
Value = Token | Noise


def decoder() -> Decoder[Token]:
    """Makes a new decoder for one line."""
    return Decoder(read)


def read(data: bytes) -> Token | Malformed | None:
    """Reads what these bytes, at least one, begin with. None if more are needed to decide."""
    if data.startswith(_WARNS[: len(data)]):
        return _warning(data)
    if data.startswith(_BEGINS[: len(data)]):
        return _bracketed(data)
    blank = data[:1].isspace()
    return Malformed(1, "white space" if blank else "no token begins so")


def describe(token: Token) -> str:
    if isinstance(token, CardToken):
        return f"{token.card} drawn" if token.card else "a card was drawn that cannot be read"
    if isinstance(token, Alarm):
        return f"alarm E{token.code}: {token.text}"
    return f"warning {token.code:02X}"


def _warning(data: bytes) -> Warned | Malformed | None:
    if len(data) < _WARNING_SIZE:
        return None
    found = _WARNING.match(data)
    return Warned(found[0], int(found[1], 16)) if found else Malformed(1, "no warning", "format")


def _bracketed(data: bytes) -> Token | Malformed | None:
    window = data[:LONGEST]
    end, another = window.find(b">"), window.find(_BEGINS, 1)
    if another > 0 and (end < 0 or another < end):
        return Malformed(another, "broken off", "length")
    if end < 0:
        return None if len(data) < LONGEST else Malformed(1, "no token is so long", "length")
    if len(data) < end + 2:
        return None
    raw = data[: end + 2]
    return next(_tokens(raw), Malformed(end + 1, "no token reads so", "format"))


def _tokens(raw: bytes) -> Iterator[Token]:
    if found := _CARD.fullmatch(raw):
        rank = found[1].decode().replace("10", "T")
        yield CardToken(raw, rank + found[2].decode().lower())
    if _UNREAD.fullmatch(raw):
        yield CardToken(raw, "")
    if found := _ALARM.fullmatch(raw):
        yield Alarm(raw, int(found[1]), found[2].decode())
