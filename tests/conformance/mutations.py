"""Payloads of the vectors, changed in their structure, and the comparison of what both implementations read.

A payload is cut into its fields, up to the body of an event or a command, and then one to three things are
changed: fields occur twice, in another order or not at all, messages hold a second member, wire types, values
and sizes are others, varints are longer than necessary, texts hold a NUL, bits flip.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from drivers.link import codec, strict
from drivers.protocol import tsl_pb2 as tsl

from .firmware import Program
from .twins import DifferenceError
from .vectors import load

LONGEST = 229
"""Bytes of the longest payload that a frame can carry."""
FILES = ("messages", "strange", "fuzz/payloads")
EDGES = (0, 1, 2, 127, 128, *(2**bits + more for bits in (31, 32, 52, 53, 63, 64) for more in (-1, 0)))
SIZES = (0, 1, 2, 7, 8, 9, 16, 31, 32, 33, 52, 54, 55, 64, 65, 80, 81)
WIRE_TYPES = (0, 1, 2, 3, 4, 5, 6, 7)
UNKNOWN = (15, 63, 64, 99, 1012, 2**29 - 1)
TEXTS = (
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    "\u00e9".encode(),
    "\U0001f0a1".encode(),
    b"\xf4\x90\x80\x80",
)


@dataclass(slots=True)
class Piece:
    """One field on the wire. `held` is the message in it, if it is one that the scan visits."""

    number: int
    wire: int
    value: int = 0
    contents: bytes = b""
    held: list["Piece"] | None = None
    padding: int = 0
    """Bytes that each varint has more than necessary."""
    excess: int = 0
    """How much the stated size is above the right one."""

    def encoded(self) -> bytes:
        body = self.contents if self.held is None else encoded(self.held)
        tag = _varint(self.number << 3 | self.wire, self.padding)
        if self.wire == strict.VARINT:
            return tag + _varint(self.value, self.padding)
        if self.wire == strict.BYTES:
            return tag + _varint(max(0, len(body) + self.excess), self.padding) + body
        return tag + body.ljust(8)[: strict.FIXED_SIZES.get(self.wire, len(body))]


def encoded(pieces: list[Piece]) -> bytes:
    return b"".join(piece.encoded() for piece in pieces)


def cut(data: bytes, message: str = "Frame") -> list[Piece]:
    """The fields of a payload. Raises UnreadableError if it has none that can be told apart."""
    pieces = []
    for number, wire, value, contents in strict.fields(data):
        row = strict.TABLE.get(message, {}).get(number)
        held = row is not None and row.kind == "member" and wire == strict.BYTES
        pieces.append(Piece(number, wire, value, contents, cut(contents, row.name) if row and held else None))
    return pieces


def mutated(chance: Random) -> Iterator[bytes]:
    """Changed payloads without end; `chance` decides everything."""
    seeds = [bytes.fromhex(vector["payload"]) for vector in load(*FILES)]
    trees = [seed for seed in seeds if _can_be_cut(seed)]
    while True:
        pieces = cut(chance.choice(trees))
        for _ in range(chance.randint(1, 3)):
            level = chance.choice(_levels(pieces))
            chance.choice(CHANGES)(chance, level, trees)
        data = encoded(pieces)
        if chance.random() < 0.1:
            data = _damaged(chance, data)
        if len(data) <= LONGEST:
            yield data


def compare(payloads: Iterator[bytes], count: int, program: Program) -> dict[str, int]:
    """Reads so many payloads with both implementations. Returns how often there was each verdict. Raises
    DifferenceError for the first payload of which the verdict or the contents differ."""
    verdicts = {"unreadable": 0, "unknown": 0, "message": 0}
    for _, payload in zip(range(count), payloads, strict=False):
        ours, [theirs] = verdict(payload), program.ask("read", payload)
        if ours != theirs:
            raise DifferenceError(f"{payload.hex()} is {theirs!r} in C, {ours!r} in Python")
        verdicts[ours.partition(" ")[0]] += 1
    return verdicts


def verdict(payload: bytes) -> str:
    """What Python reads, in the words of the C bench. A message is written again without unknown fields."""
    read = codec.parse(payload)
    if isinstance(read, codec.Unreadable):
        return "unknown" if read.unknown else "unreadable"
    name, message = read
    if isinstance(message, tsl.Event | tsl.Command) and message.WhichOneof("body") is None:
        return "unknown"
    whole: Any = tsl.Frame()
    getattr(whole, name).CopyFrom(message)
    whole.DiscardUnknownFields()
    return f"message {whole.SerializeToString().hex()}"


def _twice(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    if pieces:
        pieces.insert(chance.randint(0, len(pieces)), replace(chance.choice(pieces)))


def _gone(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    if pieces:
        del pieces[chance.randrange(len(pieces))]


def _shuffled(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    chance.shuffle(pieces)


def _member(chance: Random, pieces: list[Piece], seeds: list[bytes]) -> None:
    """Fields of another payload, from the same or from another level."""
    other = chance.choice(_levels(cut(chance.choice(seeds))))
    if other:
        pieces.insert(chance.randint(0, len(pieces)), chance.choice(other))


def _wire_type(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    if pieces:
        chance.choice(pieces).wire = chance.choice(WIRE_TYPES)


def _number(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    if pieces:
        chance.choice(pieces).number = chance.choice((0, *range(1, 21), *UNKNOWN, 2**29, 2**32))


def _value(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    if pieces:
        chance.choice(pieces).value = chance.choice(EDGES)


def _padding(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    if pieces:
        chance.choice(pieces).padding = chance.choice((1, 2, 4, 5, 8, 9, 10))


def _excess(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    if pieces:
        chance.choice(pieces).excess = chance.choice((-2, -1, 1, 2, 2**31, 2**32, 2**63))


def _size(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    if pieces:
        piece = chance.choice(pieces)
        piece.contents = (piece.contents * 81 or bytes(81))[: chance.choice(SIZES)]


def _text(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    if pieces:
        piece, extra = chance.choice(pieces), chance.choice(TEXTS)
        place = chance.randint(0, len(piece.contents))
        piece.contents = piece.contents[:place] + extra + piece.contents[place + chance.randint(0, 3) :]


def _unknown(chance: Random, pieces: list[Piece], _seeds: list[bytes]) -> None:
    wire, contents = chance.choice(WIRE_TYPES), chance.randbytes(chance.randint(0, 9))
    piece = Piece(chance.choice(UNKNOWN), wire, chance.choice(EDGES), contents)
    pieces.insert(chance.randint(0, len(pieces)), piece)


CHANGES: tuple[Callable[[Random, list[Piece], list[bytes]], None], ...] = (
    _twice,
    _gone,
    _shuffled,
    _member,
    _wire_type,
    _number,
    _value,
    _value,
    _padding,
    _excess,
    _size,
    _text,
    _unknown,
)


def _damaged(chance: Random, data: bytes) -> bytes:
    """With a flipped bit, or cut short."""
    if not data or chance.random() < 0.3:
        return data[: chance.randint(0, len(data))]
    flipped = bytearray(data)
    flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def _levels(pieces: list[Piece]) -> list[list[Piece]]:
    """The fields of the payload, of the messages in it, and so on."""
    return [pieces, *(level for piece in pieces if piece.held is not None for level in _levels(piece.held))]


def _can_be_cut(payload: bytes) -> bool:
    try:
        cut(payload)
    except strict.UnreadableError:
        return False
    return True


def _varint(value: int, padding: int) -> bytes:
    """A varint with so many bytes more than necessary."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    if not padding:
        return bytes([*out, value])
    return bytes([*out, value | 0x80, *[0x80] * (padding - 1), 0])
