"""Vectors of section 12 for a host that updates a device: an unarmed session, blocks as the device asks
for them."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.host_handshake import beat, command, host, opening, result
from generator.messages import Message, as_json, payload
from generator.proving import device_hello
from generator.script import Step, sent
from generator.update_pauses import LARGE
from generator.update_transfers import BLOCK, DONE, REFUSED
from generator.wire import OPEN, Frame

KEY = 2
"""The key of UpdateBegin. Resume has key 1."""
BEGIN: Message = {
    "version": LARGE.version,
    "size": LARGE.size,
    "sha256": LARGE.sha256,
    "signature": LARGE.signature,
}


def giving(name: str, shows: str, *steps: Step) -> Vector:
    """A script for a host with an image of 400 bytes for its shoe."""
    return {"image": LARGE.image.hex()} | host(f"update-{name}", shows, *steps)


def begun() -> list[Step]:
    """A session, and UpdateBegin in it."""
    return [
        *opening(device_hello()),
        Step(0.04).gets(beat(1)).with_("never", ["arm"]).sends(),
        Step(0.06)
        .does("act", {"key": KEY, "update_begin": as_json(BEGIN)})
        .sends(command(1, KEY, "update_begin", BEGIN)),
        Step(0.08).gets(result(0, 1, DONE, 2), result(1, KEY, DONE, 2)).reports(ended(DONE)).sends(),
    ]


def ended(status: int) -> dict[str, object]:
    """The action is over."""
    return {"action": {"key": KEY, "status": status}}


def wanted(sequence: int, offset: int, acknowledgement: int) -> Frame:
    """The device asks for a block."""
    body: Message = {"block_wanted": {"offset": offset}}
    return Frame(3, payload(body), sequence, acknowledgement, OPEN)


def block(sequence: int, offset: int) -> dict[str, object]:
    """The block that must go out."""
    body: Message = {"offset": offset, "data": LARGE.image[offset : offset + BLOCK]}
    return sent(3, sequence, {"block": body})


def gifts() -> Iterator[Vector]:
    """What a host sends in an update, and what it does not."""
    yield from _given()
    yield from _withheld()


def _given() -> Iterator[Vector]:
    """Blocks as they are asked for."""
    yield giving(
        "blocks",
        "Each block that is asked for: 192 bytes from its offset on, at the end what is left. Never Arm.",
        *begun(),
        Step(0.1).gets(wanted(2, 0, 2)).sends(block(2, 0)),
        Step(0.12).gets(wanted(3, 192, 3)).sends(block(3, 192)),
        Step(0.14).gets(wanted(4, 384, 4)).sends(block(4, 384)),
        Step(0.16).gets(beat(5)).with_("never", ["arm"]).sends(),
        Step(0.3),
    )
    yield giving(
        "goes-on",
        "The device says where it goes on; any offset is answered, 1 byte before the end with 1 byte.",
        *begun(),
        Step(0.1).gets(wanted(2, 384, 2)).sends(block(2, 384)),
        Step(0.12).gets(wanted(3, 399, 3)).sends(block(3, 399)),
        Step(0.14),
    )


def _withheld() -> Iterator[Vector]:
    """What is not sent, or not yet."""
    yield giving(
        "beyond",
        "An offset at the size or beyond it gets no answer; the next one does.",
        *begun(),
        Step(0.1).gets(wanted(2, 400, 2), wanted(3, 2**32 - 1, 2)).sends(),
        Step(0.12).gets(wanted(4, 0, 2)).sends(block(2, 0)),
        Step(0.14),
    )
    yield giving(
        "two-in-flight",
        "At most two blocks are in flight: the third leaves when one is acknowledged.",
        *begun(),
        Step(0.1).gets(wanted(2, 192, 2), wanted(3, 0, 2)).sends(block(2, 192), block(3, 0)),
        Step(0.11).gets(wanted(4, 192, 2)).sends(),
        Step(0.12).gets(beat(3)).sends(block(4, 192)),
        Step(0.14),
    )
    yield giving(
        "refused",
        "The device refuses the image: the program is told, and no Arm follows.",
        *begun()[:-1],
        Step(0.08).gets(result(0, 1, DONE, 2), result(1, KEY, REFUSED, 2)).reports(ended(REFUSED)).sends(),
        Step(0.3),
    )
