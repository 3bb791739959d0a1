"""Vectors of section 7 for the receiver: which sealed frames are good, and which counter was the last one."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from generator.framing import PERMIT, Vector
from generator.primitives import encrypt
from generator.sealing import KEY, LOW, OTHER_KEY, OVERHEAD, first_session, nonce, seal, session, spoiled
from generator.wire import CRITICAL, NAK, OPEN, RETRANSMIT, SEALED, Frame

GOOD = "good"
REPLAY = "replay"
TAG = "tag"
HALF = 1 << 31
LAP = 1 << 32
MOST = HALF - 1
"""The largest step from one counter to the next."""
ReceivedFrame = tuple[Frame, str, int]
"""A frame, its verdict, and the last good counter after it."""

COMMAND = Frame(2, PERMIT, 259, 514, OPEN, CRITICAL)
HOST_KEY = first_session().host.key


def at(counter: int, frame: Frame = COMMAND, key: bytes = HOST_KEY) -> Frame:
    """The frame sealed under that counter."""
    return seal(frame, key, counter)


def good(*counters: int) -> list[ReceivedFrame]:
    return [(at(counter), GOOD, counter) for counter in counters]


def opened(name: str, shows: str, frames: Iterable[ReceivedFrame], key: bytes = HOST_KEY) -> Vector:
    """Frames one after the other, from the start of a session on."""
    return {
        "name": f"opening-{name}",
        "kind": "opening",
        "shows": shows,
        "key": key.hex(),
        "frames": [frame_json(*one) for one in frames],
    }


def frame_json(frame: Frame, verdict: str, counter: int) -> dict[str, object]:
    """One frame as a vector states it, with the message if the frame is good."""
    message = {"message": PERMIT.hex()} if verdict == GOOD else {}
    parts = {"header": frame.header.hex(), "payload": frame.payload.hex(), "wire": frame.wire.hex()}
    return parts | {"verdict": verdict, "counter": counter} | message


def openings() -> Iterator[Vector]:
    """Counters in and out of order, damage, foreign keys, and typical mistakes of firmware."""
    yield from orders()
    yield from leaps()
    yield from laps()
    yield from damage()
    yield from short()
    yield from headers()
    yield from foreign()
    yield from mistakes()


def orders() -> Iterator[Vector]:
    """Counters near each other."""
    yield opened("in-order", "Counters 0, 1, 2: good.", good(0, 1, 2))
    yield opened("skipped", "Counters may be missing: those frames were lost on the line.", good(0, 5, 100))
    yield opened("skipped-at-start", "The first frame to arrive need not be the first one sent.", good(7, 8))
    yield opened("same", "The same bytes again: a replay.", [*good(0), (at(0), REPLAY, 0), *good(1)])
    first_again = (at(0), REPLAY, 3)
    yield opened("old", "A counter below the last one: a replay, however old.", [*good(0, 1, 3), first_again])
    late = (at(2), REPLAY, 3)
    yield opened(
        "late", "One that was skipped and comes late is no better.", [*good(0, 1, 3), late, *good(4)]
    )
    again = COMMAND.flagged(CRITICAL | RETRANSMIT)
    yield opened(
        "retransmission",
        "A retransmission has a fresh counter and is opened; its sequence is looked at later.",
        [*good(0), (at(1, again), GOOD, 1)],
    )
    yield opened(
        "retransmission-old-counter",
        "Under its old counter it is a replay: one nonce would stand over two headers.",
        [*good(0), (at(0, again), REPLAY, 0)],
    )
    yield opened(
        "replay-before-tag",
        "The counter is looked at before the tag: an old one with a bad tag is a replay.",
        [*good(0, 1), (spoiled(at(0)), REPLAY, 1)],
    )


def leaps() -> Iterator[Vector]:
    """d = 2^31 - 1 is the largest step; 2^31 is a replay."""
    for name, last in (("start", []), ("zero", [0]), ("thousand", [1000])):
        was = last[-1] if last else -1
        shows = f"With {was} as the last counter d = 2^31 - 1 is good."
        yield opened(f"leap-{name}", shows, good(*last, was + MOST))
        shows = f"With {was} as the last counter d = 2^31 is a replay; the last counter stays."
        far = (at(was + HALF), REPLAY, was)
        yield opened(f"leap-too-far-{name}", shows, [*good(*last), far, *good(was + 1)])
    behind = (at(999 + LAP), REPLAY, 1000)
    yield opened("leap-behind", "One step back is d = 2^32 - 1: a replay.", [*good(1000), behind])


def laps() -> Iterator[Vector]:
    """The low 32 bits start over; the counter does not."""
    steps = (MOST - 1, 2 * MOST - 1, LAP - 1)
    yield opened("wrap", "After 2^32 - 1 comes 2^32: the low bytes are 0 again.", good(*steps, LAP, LAP + 1))
    yield opened("wrap-skipped", "Frames may be missing across the wrap.", good(*steps[:2], LAP - 2, LAP + 5))
    last = (at(LAP - 1), REPLAY, LAP)
    yield opened("wrap-replay", "The frame before the wrap is old after it.", [*good(*steps, LAP), last])
    first = [(at(0), TAG, LAP - 1), *good(LAP)]
    yield opened(
        "wrap-first-again",
        "Frame 0 again after the wrap: its low bytes look new, its nonce is not: a bad tag.",
        [*good(*steps), *first],
    )
    far = [MOST * step - 1 for step in range(1, 12)]
    yield opened("wrap-five", "Five times around: counters above 2^34.", good(*far, far[-1] + 5))


def damage() -> Iterator[Vector]:
    """One changed bit."""
    length = len(at(0).payload)
    places = {
        "tag-first": length - 16,
        "tag-last": length - 1,
        "ciphertext-first": LOW,
        "ciphertext-last": length - 17,
        "counter-low": 0,
        "counter-middle": 2,
    }
    for name, place in places.items():
        shows = (
            f"One bit of byte {place} of the payload: a bad tag. The counter is not kept: it is still good."
        )
        yield opened(f"damage-{name}", shows, [(spoiled(at(6), place), TAG, -1), *good(6)])
    ahead = (spoiled(at(MOST)), TAG, 0)
    yield opened(
        "damage-far-ahead",
        "A forged counter as far ahead as can be moves nothing: 1 is good after it.",
        [*good(0), ahead, *good(1)],
    )


def short() -> Iterator[Vector]:
    """Payloads without room for counter and tag."""
    whole = at(0)
    for length in (0, 1, 3, 4, 5, 19):
        cut = (replace(whole, payload=whole.payload[:length]), TAG, -1)
        shows = f"A payload of {length} bytes holds no counter and tag: a bad tag."
        yield opened(f"short-{length}", shows, [cut, *good(0)])
    empty = replace(whole, payload=whole.payload[:LOW] + whole.payload[-16:])
    yield opened(
        "short-20",
        "A payload of 20 bytes with the tag of a longer message: a bad tag.",
        [(empty, TAG, -1), *good(0)],
    )
    for count in (1, 4, 15):
        cut = (replace(whole, payload=whole.payload[:-count]), TAG, -1)
        yield opened(f"tag-cut-{count}", f"The last {count} bytes of the tag are missing.", [cut, *good(0)])
    longer = (replace(whole, payload=whole.payload + b"\0"), TAG, -1)
    yield opened("tag-longer", "A byte behind the tag.", [longer, *good(0)])


def headers() -> Iterator[Vector]:
    """The eight header bytes are associated data. The checksum is right each time."""
    cases: tuple[tuple[int, str, dict[str, int]], ...] = (
        (0, "retransmit", {"flags": COMMAND.flags | SEALED | RETRANSMIT}),
        (0, "critical", {"flags": SEALED}),
        (0, "nak", {"flags": COMMAND.flags | SEALED | NAK}),
        (1, "channel", {"channel": 1}),
        (2, "sequence-low", {"sequence": COMMAND.sequence ^ 1}),
        (3, "sequence-high", {"sequence": COMMAND.sequence ^ 0x100}),
        (4, "acknowledgement-low", {"acknowledgement": COMMAND.acknowledgement ^ 1}),
        (5, "acknowledgement-high", {"acknowledgement": COMMAND.acknowledgement ^ 0x200}),
        (6, "credit", {"credit": 0}),
    )
    for byte, name, changes in cases:
        shows = f"Byte {byte} of the header ({name}) was changed and the checksum made anew: a bad tag."
        yield opened(f"header-{name}", shows, [(changed(at(0), **changes), TAG, -1), *good(0)])


def changed(frame: Frame, **changes: int) -> Frame:
    """The frame with other header fields over the same payload."""
    fields = {
        name: getattr(frame, name) for name in ("channel", "sequence", "acknowledgement", "credit", "flags")
    }
    return Frame(payload=frame.payload, **fields | changes)


def foreign() -> Iterator[Vector]:
    """Frames that were sealed with another key."""
    whole = first_session()
    another = session(bytes(32)).host.key
    for name, shows, key in (
        ("reflected", "Our own direction's key: a frame of ours that came back.", whole.device.key),
        (
            "old-session",
            "The same device's key under another transcript: a frame of an old session.",
            another,
        ),
        ("other-device", "Another device's K.", OTHER_KEY),
        ("provisioned-key", "K itself seals nothing.", KEY),
        ("no-key", "The key of seal = none, 32 zero bytes.", bytes(32)),
    ):
        yield opened(f"foreign-{name}", f"{shows} A bad tag.", [(at(0, key=key), TAG, -1), *good(0)])


def mistakes() -> Iterator[Vector]:
    """Frames sealed by firmware with a typical mistake."""
    for name, shows, frame in (
        ("header-unsealed", "Associated data made before SEALED was set.", wrong(flags=COMMAND.flags)),
        ("header-message-length", "Associated data whose n is the message's length.", wrong(n=len(PERMIT))),
        ("no-header", "No associated data at all.", wrong(associated=b"")),
        ("nonce-zeros-last", "A nonce with its zeros behind the counter.", wrong(iv=nonce(1)[4:] + bytes(4))),
        (
            "nonce-big-endian",
            "A nonce with the counter's bytes in the wrong order.",
            wrong(iv=bytes(11) + b"\1"),
        ),
        ("nonce-low-only", "The counter of the frame before.", wrong(iv=nonce(0))),
    ):
        yield opened(f"mistake-{name}", f"{shows} A bad tag.", [(frame, TAG, -1), *good(1)])


def wrong(
    *, flags: int = COMMAND.flags | SEALED, n: int = 0, associated: bytes | None = None, iv: bytes = b""
) -> Frame:
    """Counter 1, sealed over another header or under another nonce."""
    right = at(1)
    over = bytearray(right.header if associated is None else associated)
    if over:
        over[0], over[7] = 0x10 | flags, n or len(PERMIT) + OVERHEAD
    sealed = encrypt(HOST_KEY, iv or nonce(1), PERMIT, bytes(over))
    return replace(right, payload=right.payload[:LOW] + sealed)
