"""Bytes to frames to messages: any split gives the same values, every byte is in one of them, nothing raises.

The first byte says how. Even: the rest is a line, in chunks of that size. Odd: the rest is payloads, each
in a frame with a right checksum.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from drivers.link import codec
from drivers.link.frames import LONGEST_PAYLOAD, Deframer, Noise, WireFrame, encode
from drivers.messages import CardDrawn, Permit, Wager
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.common_pb2 import Bye, Heartbeat, Hello
from tests.fuzz.tape import Tape

_PAYLOADS: Final = (
    codec.event_message(7, 1_500_000, bytes(8), CardDrawn(3, "Ts")).SerializeToString(),
    codec.event_message(8, 1, bytes(8), Wager(1, 0, True, 500)).SerializeToString(),
    codec.command_message(9, Permit(4)).SerializeToString(),
    tsl.Frame(hello=Hello(side=1, major=1, nonce=bytes(16))).SerializeToString(),
    tsl.Frame(heartbeat=Heartbeat(now_us=1, committed=2)).SerializeToString(),
    tsl.Frame(bye=Bye(reason=1, text="stops")).SerializeToString(),
    b"",
)
SEEDS: Final = (
    b"\x06" + b"".join(encode(WireFrame(4, 1, 3, 5, 8, payload)) for payload in _PAYLOADS),
    b"\x00" + encode(WireFrame(0, 0, 0, 0, 0, _PAYLOADS[3]))[:-5] + b"\0\0" + b"\xff" * 300 + b"\0",
    *(bytes([1, len(payload)]) + payload for payload in _PAYLOADS),
)


def run(data: bytes) -> str:
    """A sentence about the bytes."""
    line, mode = line_of(data), Tape(data).byte()
    values, kept = _values([line])
    chunk = mode // 2 + 1
    again = _values([line[at : at + chunk] for at in range(0, len(line), chunk)])
    assert again == (values, kept), "another split, other values"
    _account(line, values, kept)
    said = Counter(_said(value) for value in values)
    return ", ".join(f"{count} {word}" for word, count in sorted(said.items())) or "nothing"


def line_of(data: bytes) -> bytes:
    """The bytes on the line."""
    tape = Tape(data)
    return b"".join(_framed(tape)) if tape.byte() & 1 else tape.rest()


def _framed(tape: Tape) -> Iterator[bytes]:
    while not tape.over:
        payload = tape.text()[:LONGEST_PAYLOAD]
        yield encode(WireFrame(0, len(payload) % 5, 0, 0, 0, payload))


def _values(chunks: list[bytes]) -> tuple[list[WireFrame | Noise], int]:
    deframer = Deframer()
    return [item for chunk in chunks for item in deframer.feed(chunk)], deframer.pending_size


def _account(line: bytes, values: list[WireFrame | Noise], kept: int) -> None:
    """A frame encoded again gives the bytes that it came as, so each byte but the zeros is in one value."""
    runs = [len(encode(item)) - 2 if isinstance(item, WireFrame) else _size(item) for item in values]
    assert sum(runs) + kept == len(line) - line.count(0), "bytes were lost or came from nowhere"


def _size(noise: Noise) -> int:
    return len(noise.data) + noise.dropped


def _said(item: WireFrame | Noise) -> str:
    if isinstance(item, Noise):
        return f"noise ({item.reason})"
    read = codec.parse(item.payload)
    if isinstance(read, codec.Unreadable):
        return "unknown" if read.unknown else "unreadable"
    name, message = read
    body: object = message
    if isinstance(message, tsl.Event):
        body = codec.event_body(message)
    if isinstance(message, tsl.Command):
        body = codec.command_body(message)
    return f"{name} without a use" if isinstance(body, codec.Unreadable) else name
