"""Frames as bytes: CRC-32C bit by bit, COBS, the eight header bytes."""

import struct
from dataclasses import dataclass, replace

POLYNOMIAL = 0x82F63B78  # CRC-32C, reflected
SEALED = 1
RETRANSMIT = 2
CRITICAL = 4
NAK = 8
OPEN = 8
"""The credit of a peer with room for a whole window."""


def crc32c(data: bytes) -> int:
    """The checksum of a frame; of b"123456789" it is 0xE3069283."""
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = (register >> 1) ^ (POLYNOMIAL if register & 1 else 0)
    return register ^ 0xFFFFFFFF


def cobs(data: bytes) -> bytes:
    """`data` without zeros, one byte longer. Frames are shorter than 254 bytes, so no block is ever full."""
    return b"".join(bytes([len(block) + 1]) + block for block in data.split(b"\0"))


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame before COBS."""

    channel: int
    payload: bytes = b""
    sequence: int = 0
    acknowledgement: int = 0
    credit: int = 0
    flags: int = 0
    version: int = 1

    @property
    def header(self) -> bytes:
        """The eight bytes before the payload."""
        first = self.version << 4 | self.flags
        numbers = (self.sequence, self.acknowledgement, self.credit, len(self.payload))
        return struct.pack("<BBHHBB", first, self.channel, *numbers)

    @property
    def decoded(self) -> bytes:
        """Header, payload and checksum."""
        body = self.header + self.payload
        return body + struct.pack("<I", crc32c(body))

    @property
    def wire(self) -> bytes:
        """What the line carries, with both zeros."""
        return between_zeros(self.decoded)

    def flagged(self, flags: int) -> "Frame":
        """The same frame with other flags."""
        return replace(self, flags=flags)

    def as_json(self) -> dict[str, object]:
        """The frame as a vector states it."""
        return {
            "flags": self.flags,
            "channel": self.channel,
            "sequence": self.sequence,
            "acknowledgement": self.acknowledgement,
            "credit": self.credit,
            "payload": self.payload.hex(),
        }


def between_zeros(decoded: bytes) -> bytes:
    """Any bytes as a frame would carry them."""
    return b"\0" + cobs(decoded) + b"\0"
