"""Vectors of section 7: frames as they are sealed."""

from collections.abc import Iterator

from generator.framing import BLOCK, CARD, CARD_FRAME, LOG, PERMIT, RESULT, SAMPLE, WANTED, Vector
from generator.messages import nested, payload, write
from generator.sealing import first_session, nonce, seal
from generator.wire import CRITICAL, NAK, OPEN, RETRANSMIT, Frame

HOST = "to_device"
DEVICE = "to_host"
HOST_BEAT = payload({"heartbeat": {"now_us": 1_000_000, "committed": 41}})
DEVICE_BEAT = payload(
    {"heartbeat": {"now_us": 2_000_000, "newest": 42, "free": 1000, "armed": True, "mode": 1}}
)
COMMIT = payload({"event_commit": {"number": 42}})
GOODBYE = payload({"bye": {"reason": 1, "text": "the controller stops"}})
LOST = payload({"events_lost": {"first": 7, "last": 9}})
LONGEST = 209
COUNTERS = (0, 1, 255, 256, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**40 + 5, 2**63, 2**64 - 1)


def sealed_frames() -> Iterator[Vector]:
    """Each channel both ways, each flag, the shortest, the longest, counters up to the last."""
    for name, direction, channel, body in (
        ("host-heartbeat", HOST, 0, HOST_BEAT),
        ("device-heartbeat", DEVICE, 0, DEVICE_BEAT),
        ("event-commit", HOST, 0, COMMIT),
        ("bye", HOST, 0, GOODBYE),
        ("card", DEVICE, 1, CARD),
        ("events-lost", DEVICE, 1, LOST),
        ("permit", HOST, 2, PERMIT),
        ("result", DEVICE, 2, RESULT),
        ("block", HOST, 3, BLOCK),
        ("block-wanted", DEVICE, 3, WANTED),
        ("log", DEVICE, 3, LOG),
        ("sample", DEVICE, 4, SAMPLE),
    ):
        frame = Frame(channel, body, 300 if channel in {1, 2, 3} else 0, 2, OPEN)
        yield sealed(
            name,
            f"Channel {channel} {direction.replace('_', ' ')}: {name.replace('-', ' ')}.",
            direction,
            frame,
            7,
        )
    shows = "The card event of section 17, sealed under counter 258."
    yield sealed("worked", shows, DEVICE, CARD_FRAME, 258)
    yield from flags()
    yield from sizes()
    for counter in COUNTERS:
        shows = f"Counter {counter}: its low 4 bytes travel, all 8 are in the nonce."
        yield sealed(f"counter-{counter}", shows, HOST, Frame(2, PERMIT, 1, 2, OPEN, CRITICAL), counter)


def flags() -> Iterator[Vector]:
    """Flags are associated data, and stay readable."""
    for name, bits in (("retransmit", RETRANSMIT), ("critical", CRITICAL), ("both", RETRANSMIT | CRITICAL)):
        shows = f"Flags ({name}) stand in the clear beside SEALED, and the tag covers them."
        yield sealed(f"flags-{name}", shows, HOST, Frame(2, PERMIT, 1, 2, OPEN, bits), 8)
    again = Frame(1, CARD, 3, 5, OPEN, CRITICAL | RETRANSMIT)
    yield sealed("card-first", "A card event as it goes out first.", DEVICE, again.flagged(CRITICAL), 20)
    yield sealed(
        "card-again", "The same one sent again: RETRANSMIT, and a counter of its own.", DEVICE, again, 21
    )


def sizes() -> Iterator[Vector]:
    """The shortest frame and the longest."""
    quiet = Frame(0, b"", 0, 7, OPEN)
    shows = "An empty frame on channel 0 has 20 bytes of payload: counter and tag. It is an acknowledgement."
    yield sealed("empty", shows, HOST, quiet, 3)
    yield sealed("empty-device", "The same from the device, under its own key.", DEVICE, quiet, 3)
    yield sealed(
        "nak", "With NAK it asks for frame 7; the flag is under the tag.", DEVICE, quiet.flagged(NAK), 4
    )
    yield sealed(
        "longest",
        "A message of 209 bytes, a block with a field nobody knows: payload 229, the greatest frame.",
        HOST,
        Frame(3, longest(), 12, 1, OPEN),
        9,
    )


def longest() -> bytes:
    """A readable message of 209 bytes: a block, its last field unknown."""
    block = write("block", {"offset": 192, "data": bytes(range(192))})
    frame_head, field_head = 4, 2
    return nested(32, block + nested(15, bytes(LONGEST - frame_head - len(block) - field_head)))


def sealed(name: str, shows: str, direction: str, frame: Frame, counter: int) -> Vector:
    whole = first_session()
    key = (whole.host if direction == HOST else whole.device).key
    out = seal(frame, key, counter)
    return {
        "name": f"sealed-{name}",
        "kind": "sealed",
        "shows": shows,
        "direction": direction,
        "key": key.hex(),
        "counter": counter,
        "nonce": nonce(counter).hex(),
        "frame": frame.as_json(),
        "header": out.header.hex(),
        "payload": out.payload.hex(),
        "wire": out.wire.hex(),
    }
