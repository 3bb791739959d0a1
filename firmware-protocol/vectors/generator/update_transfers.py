"""Vectors of section 12 for a device that can be updated: from UpdateBegin to UpdateApply."""

from collections.abc import Iterator
from dataclasses import replace

from generator import device as clear
from generator.device import Moment, device, order
from generator.framing import Vector
from generator.messages import Message, payload
from generator.primitives import public_key
from generator.script import Step
from generator.updating import OTHER_SECRET, ROOT_SECRET, SECRET, SHUFFLER, Offer, flipped, offer_of
from generator.wire import OPEN, Frame

DONE = 1
REFUSED = 2
RANGE = 5
BUSY = 6
INTERRUPTED = 8
NEVER = 9
FORGOTTEN = 10
READY = 1
UPDATING = 5
FIRMWARE = "5.0.0"
BLOCK = 192
NAMES = {"5": FIRMWARE, "7": "7"}
"""The firmware name of each version in its Hello."""
VERSION = 5
"""The version from the factory. It runs, and is the lowest that the device accepts."""
SMALL = offer_of(bytes(range(100)))
"""One block."""
HUGE = replace(SMALL, size=2**32 - 1).by(SECRET)


def updated(name: str, shows: str, *steps: Step) -> Vector:
    """A script for a shoe that can be updated."""
    keys = {"public_key": public_key(SECRET).hex(), "root_key": public_key(ROOT_SECRET).hex()}
    known = keys | {"version": VERSION, "firmware": NAMES}
    return device(f"update-{name}", shows, *steps, firmware=FIRMWARE, update=known)


def opening(at: float = 0.0, **changes: object) -> list[Step]:
    """The first session is installed."""
    return clear.opening(at, **{"firmware": FIRMWARE} | changes)


def again(at: float, **changes: object) -> list[Step]:
    """The second session is installed."""
    return clear.again(at, **{"firmware": FIRMWARE} | changes)


def begin(sequence: int, key: int, offer: Offer, *, acknowledged: int = 0) -> Frame:
    """The host offers an image."""
    body: Message = {
        "version": offer.version,
        "size": offer.size,
        "sha256": offer.sha256,
        "signature": offer.signature,
    }
    return order(sequence, key, "update_begin", body, acknowledged=acknowledged)


def apply(sequence: int, key: int, *, acknowledged: int = 0) -> Frame:
    """The host wants the image started."""
    return order(sequence, key, "update_apply", {}, acknowledged=acknowledged)


def block(sequence: int, offset: int, image: bytes, *, acknowledged: int = 0) -> Frame:
    """The block at that offset."""
    body: Message = {"offset": offset, "data": image[offset : offset + BLOCK]}
    return Frame(3, payload({"block": body}), sequence, acknowledged, OPEN)


def transfers() -> Iterator[Vector]:
    """What is accepted, what is refused, and when an image is complete."""
    yield from offers()
    yield from whole()


def offers() -> Iterator[Vector]:
    """UpdateBegin, in the order of section 12.2."""
    old = offer_of(SMALL.image, VERSION - 1)
    for name, shows, offer, status in (
        ("size-0", "An image of no bytes.", offer_of(b""), RANGE),
        ("too-large", "An image of 4 GiB less a byte, signed: no slot is so large.", HUGE, RANGE),
        ("no-hash", "No hash.", replace(SMALL, sha256=b"").by(SECRET), RANGE),
        ("no-signature", "No signature.", replace(SMALL, signature=b""), RANGE),
        ("old-version", "A version below the counter, signed.", old, REFUSED),
        ("other-class", "Signed for a shuffler.", offer_of(SMALL.image, 7, SHUFFLER), REFUSED),
        ("other-key", "Signed with another key.", SMALL.by(OTHER_SECRET), REFUSED),
        ("other-version", "Signed as version 7, offered as 8.", replace(SMALL, version=8), REFUSED),
        ("changed-hash", "A hash that is not the signed one.", replace(SMALL, sha256=bytes(32)), REFUSED),
    ):
        offered = Moment(0.02).gets(begin(0, 1, offer)).results((1, status)).with_("wanted", [])
        yield updated(f"refuses-{name}", f"{shows} No block is asked for.", *opening(), offered, Moment(0.6))
    for name, shows, offer in (
        ("hash", "A hash of 31 bytes", replace(SMALL, sha256=SMALL.sha256[:31]).by(SECRET)),
        ("signature", "A signature of 63 bytes", replace(SMALL, signature=SMALL.signature[:63])),
    ):
        dropped = Moment(0.02).gets(begin(0, 1, offer)).results().with_("wanted", [])
        yield updated(
            f"drops-short-{name}", f"{shows} is unreadable: no answer.", *opening(), dropped, Moment(0.6)
        )
    for name, version in (("counter", VERSION), ("greatest", 2**32 - 1)):
        offer = offer_of(SMALL.image, version)
        taken = Moment(0.02).gets(begin(0, 1, offer)).results((1, DONE)).with_("wanted", [0])
        yield updated(
            f"takes-{name}", f"Version {version} is not below the counter.", *opening(), taken, Moment(0.1)
        )


def whole() -> Iterator[Vector]:
    """An image of one block."""
    yield updated(
        "one-block",
        "UpdateBegin, the block that the device asks for, and it is updating no more.",
        *opening(),
        Moment(0.02)
        .gets(begin(0, 1, SMALL))
        .results((1, DONE))
        .with_("wanted", [0])
        .with_("beats", {"count": 1, "last": {"mode": UPDATING}}),
        Moment(0.6).gets(block(1, 0, SMALL.image, acknowledged=2)).with_("wanted", []),
        Moment(0.8).with_("beats", {"count": 1, "last": {"mode": READY}}),
        Moment(1.2),
    )
    yield updated(
        "apply",
        "UpdateApply when all is there: DONE, and Bye(UPDATE) once that is acknowledged.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)).results((1, DONE)).with_("wanted", [0]),
        Moment(0.1).gets(block(1, 0, SMALL.image, acknowledged=2)),
        Moment(0.3).gets(apply(2, 2, acknowledged=2)).results((2, DONE)),
        Moment(0.4).gets(Frame(0, b"", 0, 3, OPEN)).says_like({"bye": {"reason": 6}}),
        Moment(1.4),
    )
    yield updated(
        "apply-unacknowledged",
        "The result of UpdateApply is not acknowledged: Bye(UPDATE) at the latest 1 s after it was sent.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)),
        Moment(0.1).gets(block(1, 0, SMALL.image, acknowledged=2)),
        Moment(0.3).gets(apply(2, 2, acknowledged=2)).says_like({"bye": {"reason": 6}}),
        Moment(1.4),
    )
    yield from unfinished()


def unfinished() -> Iterator[Vector]:
    """UpdateApply and UpdateConfirm at the wrong time."""
    confirm = order(1, 2, "update_confirm", {})
    yield updated(
        "nothing-there",
        "With an empty slot there is nothing to apply, and nothing to confirm.",
        *opening(),
        Moment(0.02).gets(apply(0, 1), confirm).results((1, REFUSED), (2, REFUSED)).says(),
        Moment(0.1),
    )
    yield updated(
        "apply-early",
        "UpdateApply while bytes are missing: BUSY.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)).results((1, DONE)),
        Moment(0.1).gets(apply(1, 2, acknowledged=2)).results((2, BUSY)).says(),
        Moment(0.2),
    )
    bad = replace(SMALL, image=flipped(SMALL.image, 99))
    yield updated(
        "hash-wrong",
        "The last byte makes another hash: the image is gone, and the next UpdateBegin starts at 0.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)).results((1, DONE)).with_("wanted", [0]),
        Moment(0.1).gets(block(1, 0, bad.image, acknowledged=2)),
        Moment(0.3).gets(apply(2, 2, acknowledged=2)).results((2, REFUSED)).says(),
        Moment(0.4).gets(begin(3, 3, SMALL, acknowledged=3)).results((3, DONE)).with_("wanted", [0]),
        Moment(0.5),
    )
