"""Vectors of section 3: bytes in, frames and noise out."""

from collections.abc import Iterable, Iterator

from generator.messages import payload, schema
from generator.wire import CRITICAL, NAK, RETRANSMIT, SEALED, Frame, between_zeros, cobs

Vector = dict[str, object]
Seen = Frame | str
"""A good frame, or the reason for noise."""

NONCE = bytes(range(0xA0, 0xB0))
HELLO = payload({"hello": {"side": 1, "major": 1, "schema": schema(), "seal": 1, "nonce": NONCE}})
CARD = payload(
    {
        "event": {
            "number": 42,
            "uptime_us": 1_500_000,
            "boot": bytes(range(1, 9)),
            "card_drawn": {"count": 17, "card": "Ts"},
        }
    }
)
PERMIT = payload({"command": {"key": 9, "permit": {"up_to": 18}}})
RESULT = payload({"result": {"key": 9, "status": 1}})
BLOCK = payload({"block": {"offset": 192, "data": bytes(range(192))}})
WANTED = payload({"block_wanted": {"offset": 384}})
LOG = payload({"log": {"uptime_us": 7, "level": 3, "text": "motor warm"}})
SAMPLE = payload({"sample": {"what": 1, "value": -40}})

FIRST_WORD = Frame(0, HELLO)
CARD_FRAME = Frame(1, CARD, sequence=3, acknowledgement=5, credit=8, flags=CRITICAL)
ACKNOWLEDGEMENT = Frame(0, acknowledgement=7, credit=8)


def deframed(name: str, shows: str, chunks: Iterable[bytes], *seen: Seen) -> Vector:
    """One vector: the bytes as they arrive, and what they are."""
    return {
        "name": name,
        "kind": "deframe",
        "shows": shows,
        "in": [chunk.hex() for chunk in chunks],
        "out": [{"noise": one} if isinstance(one, str) else {"frame": one.as_json()} for one in seen],
    }


def valid(name: str, shows: str, frame: Frame) -> Vector:
    """A good frame on its own; a sender must make exactly these bytes of it."""
    return deframed(name, shows, [frame.wire], frame) | {"reversible": True}


def frames() -> Iterator[Vector]:
    """Good frames of every channel and flag, and the limits of their fields."""
    yield valid("worked-hello", "The host's first word, as in section 17.", FIRST_WORD)
    yield valid("worked-card", "A card event, as in section 17.", CARD_FRAME)
    yield valid("control-empty", "An empty frame on channel 0 is an acknowledgement.", ACKNOWLEDGEMENT)
    yield valid("control-nak", "The same with the NAK flag asks for frame 7.", ACKNOWLEDGEMENT.flagged(NAK))
    for name, channel, body in (
        ("events", 1, CARD),
        ("commands-permit", 2, PERMIT),
        ("commands-result", 2, RESULT),
        ("bulk-block", 3, BLOCK),
        ("bulk-wanted", 3, WANTED),
        ("bulk-log", 3, LOG),
        ("telemetry", 4, SAMPLE),
    ):
        sequence = 0 if channel == 4 else 300
        yield valid(
            f"channel-{name}",
            f"Channel {channel} carries {name.split('-')[-1]}.",
            Frame(channel, body, sequence, 2, 8),
        )
    yield valid(
        "unknown-channel",
        "A good frame on a channel nobody knows: its place decides later.",
        Frame(200, CARD, 1),
    )
    yield from flags()
    yield from limits()


def flags() -> Iterator[Vector]:
    """Each flag alone and all together."""
    for word, flag in (("sealed", SEALED), ("retransmit", RETRANSMIT), ("critical", CRITICAL), ("all", 15)):
        frame = Frame(2, PERMIT, 1, 2, 3, flag)
        shows = f"Flags {word}: framing passes them on; what they mean is decided later."
        yield valid(f"flags-{word}", shows, frame)


def limits() -> Iterator[Vector]:
    """The smallest and largest values of each header field."""
    largest = bytes(n % 255 + 1 for n in range(229))
    yield valid(
        "payload-largest",
        "A payload of 229 bytes makes 241 decoded bytes, the greatest frame.",
        Frame(3, largest),
    )
    yield valid("payload-zeros", "A payload of zeros, each with its own COBS code.", Frame(3, bytes(229)))
    yield valid("sequence-last", "Sequence 65,535, the last before 0.", Frame(2, PERMIT, 65_535, 65_535, 255))
    yield valid(
        "sequence-low-byte", "Sequence 256 is 00 01 on the wire: little-endian.", Frame(2, PERMIT, 256, 1, 0)
    )


def noise() -> Iterator[Vector]:
    """Every kind of damage, and the order in which it is found."""
    yield from bad_cobs()
    yield from bad_length()
    yield from bad_checksum()
    yield deframed(
        "version-2", "A good checksum under another version.", [Frame(2, PERMIT, version=2).wire], "version"
    )
    yield deframed("version-0", "Version 0 is none.", [Frame(2, PERMIT, version=0).wire], "version")
    yield from too_long()
    yield from nothing_between_zeros()


def bad_cobs() -> Iterator[Vector]:
    """Blocks that reach past the end."""
    short = CARD_FRAME.wire[:-4] + b"\0"
    yield deframed(
        "cobs-cut", "The end of a frame is missing: its last block reaches past the zero.", [short], "cobs"
    )
    yield deframed("cobs-code-255", "A code byte that wants 254 more.", [b"\0\xff\x01\x02\0"], "cobs")
    first = bytearray(CARD_FRAME.wire)
    first[1] = 0x55
    yield deframed("cobs-first-code", "The first code byte is damaged.", [bytes(first)], "cobs")


def bad_length() -> Iterator[Vector]:
    """Too few bytes, and a wrong length byte."""
    yield deframed(
        "length-11", "Eleven bytes are one too few.", [between_zeros(bytes(range(1, 12)))], "length"
    )
    yield deframed("length-1", "One byte is no frame.", [b"\0\x02\x41\0"], "length")
    yield deframed("length-0", "A lone code byte decodes to nothing.", [b"\0\x01\0"], "length")
    for word, change in (("short", -1), ("long", 1), ("zero", -len(CARD))):
        body = bytearray(CARD_FRAME.decoded)
        body[7] += change
        shows = f"The length field says {len(CARD) + change}, not {len(CARD)}: found before the checksum."
        yield deframed(f"length-{word}", shows, [between_zeros(bytes(body))], "length")


def bad_checksum() -> Iterator[Vector]:
    """A flipped bit in each byte of a frame, except the length byte."""
    decoded = CARD_FRAME.decoded
    for place in range(len(decoded)):
        if place == 7:
            continue
        body = bytearray(decoded)
        body[place] ^= 1 << place % 8
        shows = f"Bit {place % 8} of byte {place} is flipped."
        yield deframed(f"crc-byte-{place}", shows, [between_zeros(bytes(body))], "crc")
    swapped = decoded[:-4] + decoded[:-5:-1]
    yield deframed(
        "crc-big-endian", "The checksum with its bytes in the wrong order.", [between_zeros(swapped)], "crc"
    )
    odd = Frame(2, PERMIT, version=2).decoded
    broken = odd[:-1] + bytes([odd[-1] ^ 1])
    yield deframed(
        "crc-before-version",
        "A bad checksum is found before another version.",
        [between_zeros(broken)],
        "crc",
    )


def too_long() -> Iterator[Vector]:
    """More than 242 bytes without a zero."""
    after = CARD_FRAME.wire
    greatest = bytes([243]) + bytes(range(1, 242))
    yield deframed(
        "long-242",
        "A run of 242 bytes without a zero may be a frame; these are not one.",
        [b"\0" + greatest + b"\0"],
        "cobs",
    )
    for length in (243, 244, 500, 5000):
        run = b"\x11" * length
        shows = (
            f"A run of {length} bytes without a zero is dropped once, up to the next zero; then a good frame."
        )
        yield deframed(f"long-{length}", shows, [b"\0" + run + after], "too long", CARD_FRAME)
    inner = cobs(CARD_FRAME.decoded)
    yield deframed(
        "long-hides-frame",
        "A frame inside an overlong run is part of it.",
        [b"\0" + b"\x11" * 300 + inner + b"\0" + after],
        "too long",
        CARD_FRAME,
    )


def nothing_between_zeros() -> Iterator[Vector]:
    """Zeros alone are neither frames nor noise."""
    yield deframed("zeros", "Nothing between zeros is nothing.", [bytes(40)])
    yield deframed(
        "zeros-around",
        "Any number of zeros stands between frames.",
        [bytes(9) + CARD_FRAME.wire + bytes(9)],
        CARD_FRAME,
    )
    shared = FIRST_WORD.wire[:-1] + CARD_FRAME.wire
    yield deframed(
        "zero-shared", "One zero may end a frame and begin the next.", [shared], FIRST_WORD, CARD_FRAME
    )
    yield deframed(
        "no-first-zero",
        "The first frame after power on needs no zero before it.",
        [CARD_FRAME.wire[1:]],
        CARD_FRAME,
    )
    yield deframed("no-last-zero", "A frame without its last zero is not yet one.", [CARD_FRAME.wire[:-1]])


def junk() -> Iterator[Vector]:
    """Foreign bytes between frames."""
    good = CARD_FRAME.wire
    for name, rubbish, seen in (
        ("modem", b"AT+CGMI\r\n", "cobs"),
        ("text", b"boot: ok\r\n", "cobs"),
        ("all-ones", b"\xff" * 20, "cobs"),
        ("readable", b"\x01" * 20, "length"),
    ):
        shows = f"Junk between frames costs no frame: {rubbish!r}."
        yield deframed(f"junk-{name}", shows, [good + rubbish + good], CARD_FRAME, seen, CARD_FRAME)
    shows = "Junk right before a frame that has lost its first zero takes that frame with it, no more."
    yield deframed("junk-joined", shows, [b"\x05" + good[1:] + good], "length", CARD_FRAME)


def splits() -> Iterator[Vector]:
    """One stream, cut in two at every byte, and fed byte by byte."""
    damaged = bytearray(CARD_FRAME.decoded)
    damaged[20] ^= 4
    stream = (
        b"\x41"
        + FIRST_WORD.wire
        + between_zeros(bytes(damaged))
        + CARD_FRAME.wire[:-1]
        + ACKNOWLEDGEMENT.wire
    )
    seen: tuple[Seen, ...] = ("cobs", FIRST_WORD, "crc", CARD_FRAME, ACKNOWLEDGEMENT)
    for place in range(1, len(stream)):
        shows = f"The stream cut after byte {place} gives the same frames."
        yield deframed(f"split-{place}", shows, [stream[:place], stream[place:]], *seen)
    single = [bytes([byte]) for byte in stream]
    yield deframed("split-every-byte", "Byte by byte.", single, *seen)
