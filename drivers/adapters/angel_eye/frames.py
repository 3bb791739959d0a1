"""The bytes of an Angel Eye II-EX shoe: its messages and answers, and our orders. Unverified on hardware.

Shoe to host: ENQ sequence code data ETX BCC, the BCC two hex digits over sequence to ETX. Host to shoe: STX
"OP" kind data ETX BCC; the published text and its own example disagree on whether STX counts in it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Final

from drivers.adapters.decoder import Decoder, Malformed, Noise

STX = 0x02
ETX = 0x03
ENQ = 0x05
ACK = 0x06
NAK = 0x15
LENGTHS: Final[Mapping[str, int]] = {
    "S": 0,
    "P": 0,
    "C": 0,
    "D": 2,
    "d": 2,
    "R": 2,
    "G": 1,
    "E": 1,
    "e": 1,
    "L": 1,
    "M": 6,
}
"""How many bytes of data each message has."""
NAKS: Final[Mapping[int, str]] = {
    0x01: "overrun, framing or parity",
    0x02: "wrong BCC",
    0x03: "no ETX",
    0x11: "wrong length or format",
    0x12: "wrong address",
    0x13: "unknown command",
    0x14: "unknown type",
    0x21: "busy",
    0x22: "a write is in progress",
    0xFF: "another reason",
}
_HEX: Final = b"0123456789ABCDEF"
_HEADER = 3
"""Bytes of ENQ, sequence and code."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the shoe with a correct BCC."""

    raw: bytes
    sequence: int
    code: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """The shoe's answer to an order: ACK, or NAK with one of NAKS."""

    raw: bytes
    nak: int | None


@dataclass(frozen=True, slots=True)
class ShoeOrder:
    """An order to the shoe: `LK` 02 lock or 01 unlock, `EC` nn clear error nn, `GP` 00 confirm the game."""

    kind: str
    data: str


Value = Message | Answer | Noise


def decoder() -> Decoder[Message | Answer]:
    """Makes a new decoder for one line."""
    return Decoder(read)


def read(data: bytes) -> Message | Answer | Malformed | None:
    """Reads what these bytes, at least one, begin with. None if more are needed to decide."""
    return _READERS.get(data[0], _unknown_byte)(data)


def bcc(data: bytes) -> bytes:
    """The check of these bytes: their XOR, in two hex digits."""
    return b"%02X" % reduce(xor, data, 0)


def encode_order(order: ShoeOrder, *, stx_counts: bool) -> bytes:
    """The bytes of an order. Its BCC includes STX or not."""
    body = f"OP{order.kind}{order.data}".encode() + bytes([ETX])
    return bytes([STX]) + body + bcc((bytes([STX]) if stx_counts else b"") + body)


def _message(data: bytes) -> Message | Malformed | None:
    if len(data) < _HEADER:
        return None
    length = LENGTHS.get(chr(data[2]))
    if length is None:
        return Malformed(1, f"no message has the code {data[2]:02X}", "format")
    end = _HEADER + length
    if len(data) <= end:
        return None
    if data[end] != ETX:
        return Malformed(1, f"no ETX where {chr(data[2])} ends", "length")
    if len(data) < end + 3:
        return None
    return _checked(data[: end + 3], end)


def _checked(raw: bytes, end: int) -> Message | Malformed:
    right = bcc(raw[1 : end + 1])
    if raw[end + 1 :] == right:
        return Message(raw, raw[1], chr(raw[2]), raw[_HEADER:end])
    another = raw.find(ENQ, 1)
    size = len(raw) if another < 0 else another
    return Malformed(size, f"BCC {raw[end + 1 :].hex()} where {right.hex()} is right", "check")


def _ack(data: bytes) -> Answer:
    return Answer(data[:1], None)


def _nak(data: bytes) -> Answer | Malformed | None:
    """Reads a NAK. Its code is one byte or two hex digits: no source says which, and neither looks like
    the other."""
    if len(data) < 2:
        return None
    if data[1] in NAKS:
        return Answer(data[:2], data[1])
    if data[1] in _HEX and len(data) < 3:
        return None
    code = int(data[1:3], 16) if all(digit in _HEX for digit in data[1:3]) else -1
    return Answer(data[:3], code) if code in NAKS else Malformed(1, "NAK without a known code", "format")


def _unknown_byte(_data: bytes) -> Malformed:
    return Malformed(1, "no message begins so")


_READERS: Final[Mapping[int, Callable[[bytes], Message | Answer | Malformed | None]]] = {
    ENQ: _message,
    ACK: _ack,
    NAK: _nak,
}
