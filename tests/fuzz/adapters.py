"""Lines of commercial shoes: pieces of bytes and silences between them.

One piece: a byte for the silence before it, a byte for its length, its bytes.
"""

from collections import Counter
from typing import Any, Final

from drivers.adapters.decoder import LONGEST_RUN, Noise
from drivers.adapters.makes import ADAPTERS
from drivers.adapters.observations import Down
from drivers.adapters.options import NUMBERS, R_MEANINGS, AdapterOptions
from tests.fuzz.tape import Tape

MOST_NEWS = 4
"""Values for each byte that came, at most."""
STEP = 0.02
"""Seconds of silence for each unit of its byte."""


def _pieces(*pieces: bytes) -> bytes:
    return b"\0" + b"".join(bytes([5, len(piece)]) + piece for piece in pieces)


SEEDS: Final[dict[str, tuple[bytes, ...]]] = {
    "angel-eye-2ex": (
        _pieces(b"\x06", bytes.fromhex("0531 4481B803 3446"), bytes.fromhex("0532 43 03 3732")),
        _pieces(b"\x1502", b"\x06", bytes.fromhex("0533 45 05 03 3730"), bytes.fromhex("0532 53 03 3632")),
        _pieces(b"\x05\x34M123456\x03", b"\x15\x21", b"\x06", b"\x05\x35L\x81\x0300", b"\xff\x05"),
    ),
    "bee-tek": (
        _pieces(b" [Game]<Card:4S> ", b" [Game]<Game> ", b" [GameAlarm]<Alarm:E3 Card Not Read> "),
        _pieces(b"<W0x01>", b" [Game]<Card:H3> ", b" [Ga", b"me]<Card:TD> \r\n"),
    ),
}


def run(name: str, data: bytes) -> str:
    """A sentence about the bytes on a line of this make."""
    tape, known = Tape(data), ADAPTERS[name]
    choice = tape.byte()
    options = AdapterOptions(R_MEANINGS[choice % len(R_MEANINGS)], NUMBERS[choice // 8 % len(NUMBERS)])
    line = known.opener(options)(0.0, lambda: bool(choice & 128))
    now, size, news, stream = 0.0, 0, list[Any](), b""
    while not tape.over and line.phase != "over":
        now += tape.byte() * STEP
        piece = tape.text()
        size, stream = size + len(piece), stream + piece
        news += [*line.feed(piece, now), *line.tick(now)]
        line.take(now)
        line.deadline(now)
    line.close(now)
    line.take(now)
    assert line.counters.bytes_in == size, "bytes came that nobody counted"
    assert len(news) <= MOST_NEWS * (size + tape_steps(now)), "more news than there is reason for"
    _decode(name, stream)
    said = Counter(_said(each) for each in news)
    return f"{line.phase}: " + (", ".join(f"{n} {word}" for word, n in sorted(said.items())) or "silent")


def tape_steps(now: float) -> int:
    """How often a line may have reported something by itself in this time."""
    return 8 + int(now * 8)


def _decode(name: str, stream: bytes) -> None:
    whole, single = ADAPTERS[name].decoder(), ADAPTERS[name].decoder()
    values = [*whole.feed(stream, 0.0), *whole.flush()]
    again = [value for byte in stream for value in single.feed(bytes([byte]), 0.0)]
    assert [*again, *single.flush()] == values, "another split, other values"
    assert b"".join(value.raw for value in values) == stream, "bytes were lost or came from nowhere"
    for value in values:
        if isinstance(value, Noise):
            assert len(value.raw) <= 2 * LONGEST_RUN, "a run of noise without bound"
        else:
            assert ADAPTERS[name].describe(value)


def _said(heard: Any) -> str:
    return f"Down ({heard.reason})" if isinstance(heard, Down) else type(heard).__name__
