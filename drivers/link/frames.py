"""Frames of TSL/1 and their bytes: 0x00, the COBS of header, payload and CRC-32C, 0x00."""

import struct
from dataclasses import dataclass

import crc32c
from cobs import cobs

VERSION = 1
HEADER = struct.Struct("<BBHHBB")
CHECK = struct.Struct("<I")
OVERHEAD = HEADER.size + CHECK.size
LONGEST_PAYLOAD = 229
"""A sealed message of 209 bytes: 4 bytes of counter before it, a tag of 16 bytes after it."""
LONGEST_RUN = OVERHEAD + LONGEST_PAYLOAD + 1
"""The most bytes between two zeros. COBS adds one byte to the longest frame."""
LINE_OVERHEAD = OVERHEAD + 3
"""Bytes of a frame on the line besides its payload: header, check, COBS byte, two zeros."""
SEQUENCES = 1 << 16


@dataclass(frozen=True, slots=True)
class WireFrame:
    """One frame. `flags` is a sum of codes.Flag; `payload` has one Frame message or is empty."""

    flags: int
    channel: int
    sequence: int
    acknowledgement: int
    credit: int
    payload: bytes

    def __post_init__(self) -> None:
        if not 0 <= self.flags < 16:
            raise ValueError(f"flags {self.flags}: must fit 4 bits")
        if not (0 <= self.channel < 256 and 0 <= self.credit < 256):
            raise ValueError(f"channel {self.channel}, credit {self.credit}: must fit a byte")
        if not (0 <= self.sequence < SEQUENCES and 0 <= self.acknowledgement < SEQUENCES):
            raise ValueError(
                f"sequence {self.sequence}, acknowledgement {self.acknowledgement}: must be below {SEQUENCES}"
            )
        if len(self.payload) > LONGEST_PAYLOAD:
            raise ValueError(f"payload of {len(self.payload)} bytes: at most {LONGEST_PAYLOAD}")

    @property
    def header(self) -> bytes:
        """The 8 bytes before the payload."""
        return self.header_with(self.flags, len(self.payload))

    def header_with(self, flags: int, size: int) -> bytes:
        """The header of this frame with other flags and a payload of another size."""
        return HEADER.pack(
            VERSION << 4 | flags, self.channel, self.sequence, self.acknowledgement, self.credit, size
        )

    def with_payload(self, flags: int, payload: bytes) -> "WireFrame":
        """This frame with other flags and payload. dataclasses.replace takes ten times as long."""
        return WireFrame(flags, self.channel, self.sequence, self.acknowledgement, self.credit, payload)


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes between two zeros that are not a frame: `data`, and `dropped` more that were not kept.

    `reason` is "cobs", "length", "crc", "version" or "too long".
    """

    reason: str
    data: bytes
    dropped: int = 0


def encode(frame: WireFrame) -> bytes:
    """The bytes of a frame, including both zeros."""
    checked = frame.header + frame.payload
    run: bytes = cobs.encode(checked + CHECK.pack(crc32c.crc32c(checked)))
    return b"\0" + run + b"\0"


def decode(run: bytes) -> WireFrame | Noise:
    """Decodes the bytes between two zeros."""
    try:
        decoded = cobs.decode(run)
    except cobs.DecodeError:
        return Noise("cobs", run)
    end = len(decoded) - CHECK.size
    if end < HEADER.size or decoded[HEADER.size - 1] != end - HEADER.size:
        return Noise("length", run)
    if CHECK.unpack_from(decoded, end)[0] != crc32c.crc32c(decoded[:end]):
        return Noise("crc", run)
    first, channel, sequence, acknowledgement, credit, _ = HEADER.unpack_from(decoded)
    if first >> 4 != VERSION:
        return Noise("version", run)
    payload = decoded[HEADER.size : end]
    return WireFrame(first & 15, channel, sequence, acknowledgement, credit, payload)


class Deframer:
    """Cuts a byte stream into frames and noise. Keeps at most one unfinished run."""

    def __init__(self) -> None:
        self._run = b""
        self._dropped = 0

    @property
    def pending_size(self) -> int:
        """How many bytes came after the last zero."""
        return len(self._run) + self._dropped

    def feed(self, data: bytes) -> list[WireFrame | Noise]:
        """Returns all frames and noise that end in `data`. Any split of a stream gives the same values;
        nothing raises."""
        *ended, rest = data.split(b"\0")
        found = []
        for run in ended:
            self._append(run)
            if self._run:
                found.append(self._end())
        self._append(rest)
        return found

    def _append(self, more: bytes) -> None:
        space = LONGEST_RUN - len(self._run)
        self._dropped += max(0, len(more) - space)
        self._run += more[:space]

    def _end(self) -> WireFrame | Noise:
        run, dropped = self._run, self._dropped
        self._run, self._dropped = b"", 0
        return Noise("too long", run, dropped) if dropped else decode(run)
