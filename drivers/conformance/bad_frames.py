"""Bytes that no correct host sends."""

from collections.abc import Callable

import crc32c
from cobs import cobs

from drivers.link.frames import CHECK, WireFrame


def decoded(frame: WireFrame) -> bytes:
    """Header and payload, without the CRC."""
    return frame.header + frame.payload


def checked(body: bytes) -> bytes:
    """With the right CRC."""
    return body + CHECK.pack(crc32c.crc32c(body))


def wrapped(whole: bytes) -> bytes:
    """COBS and two zeros around any bytes."""
    run: bytes = cobs.encode(whole)
    return b"\0" + run + b"\0"


def flipped(data: bytes, place: int, bit: int = 1) -> bytes:
    """One bit of one byte inverted. A negative place counts from the end."""
    changed = bytearray(data)
    changed[place] ^= bit
    return bytes(changed)


Spoil = Callable[[WireFrame], bytes]
"""From a good frame to bytes on the line."""


def wrong_crc(frame: WireFrame) -> bytes:
    return wrapped(flipped(checked(decoded(frame)), -1, 0x80))


def damaged_payload(frame: WireFrame) -> bytes:
    """One bit of the payload is wrong, and the CRC is not corrected."""
    return wrapped(flipped(checked(decoded(frame)), 8))


def wrong_length(frame: WireFrame) -> bytes:
    """The length byte is one too high, the CRC is right."""
    body = bytearray(decoded(frame))
    body[7] += 1
    return wrapped(checked(bytes(body)))


def version_two(frame: WireFrame) -> bytes:
    """The CRC is right."""
    return wrapped(checked(flipped(decoded(frame), 0, 0x30)))


def past_the_end(frame: WireFrame) -> bytes:
    """The last COBS block reaches past the end."""
    run: bytes = cobs.encode(checked(decoded(frame)))
    return b"\0" + run[:-1] + b"\0"


def truncated(frame: WireFrame) -> bytes:
    """Only the first 11 bytes."""
    return wrapped(checked(decoded(frame)[:7]))


def behind_junk(frame: WireFrame, size: int) -> bytes:
    """Other bytes without a zero, and the good frame right behind them, as one run."""
    run: bytes = cobs.encode(checked(decoded(frame)))
    return b"\0" + b"\xaa" * size + run + b"\0"
