"""Vectors of section 12 for a device that can be updated: transfers that stop and go on."""

from collections.abc import Iterator

from generator.device import Moment, arm, beat, order, rebooted, recall
from generator.framing import Vector
from generator.script import Step
from generator.update_transfers import (
    BUSY,
    DONE,
    FORGOTTEN,
    NEVER,
    REFUSED,
    SMALL,
    again,
    apply,
    begin,
    block,
    opening,
    updated,
)
from generator.updating import offer_of
from generator.wire import Frame

LARGE = offer_of(b"".join(n.to_bytes(2, "little") for n in range(200)))
"""Two whole blocks and one of 16 bytes."""
MIDDLE = offer_of(b"".join(n.to_bytes(2, "little") for n in range(150)))
"""A whole block and one of 108 bytes."""


def pauses() -> Iterator[Vector]:
    """Where a transfer goes on, and what play does to it."""
    yield from resumed()
    yield from ended()
    yield from known_images()
    yield from blocks()
    yield from unasked()
    yield from arming()


def armed(sequence: int, key: int) -> Frame:
    """Arm, when two frames of the device are acknowledged already."""
    return order(sequence, key, "arm", {"seen": 1}, acknowledged=2)


def two_blocks() -> list[Step]:
    """A transfer begins, and the first two blocks are written."""
    return [
        Moment(0.02).gets(begin(0, 1, LARGE)).results((1, DONE)),
        Moment(0.1).gets(block(1, 0, LARGE.image, acknowledged=2)),
        Moment(0.2).gets(block(2, 192, LARGE.image, acknowledged=3)),
    ]


def resumed() -> Iterator[Vector]:
    """A transfer that a new session, or a new UpdateBegin, goes on with."""
    yield updated(
        "goes-on",
        "A new session: nothing is asked for before UpdateBegin, then only what is missing.",
        *opening(),
        *two_blocks(),
        *again(0.4, last_key=1),
        Moment(0.5).gets(beat()).with_("wanted", []),
        Moment(0.6).gets(begin(0, 2, LARGE)).results((2, DONE)).with_("wanted", [384]),
        Moment(0.7).gets(block(1, 384, LARGE.image, acknowledged=2)).with_("wanted", []),
        Moment(0.9).gets(apply(2, 3, acknowledged=2)).results((3, DONE)),
        Moment(1.0),
    )
    after = rebooted() | {"reset": 1, "newest": 2, "last_key": 1}
    yield updated(
        "goes-on-after-power",
        "The power goes in a transfer: what was written stays, only what is missing is asked for.",
        *opening(),
        *two_blocks(),
        Moment(0.4).does("reboot", {"reset": 1}),
        *again(0.5, **after),
        Moment(0.6).gets(begin(0, 2, LARGE)).results((2, DONE)).with_("wanted", [384]),
        Moment(0.7),
    )


def ended() -> Iterator[Vector]:
    """What ends with a session."""
    yield updated(
        "mode-ends",
        "A transfer ends with its session: in the next one the mode is ready, and no block is taken.",
        *opening(),
        *two_blocks(),
        *again(0.4, last_key=1),
        Moment(0.5)
        .gets(block(0, 384, LARGE.image))
        .with_("wanted", [])
        .with_("beats", {"count": 1, "last": {"mode": 1}}),
        Moment(1.0).gets(apply(1, 2)).results((2, BUSY)),
        Moment(1.1),
    )


def known_images() -> Iterator[Vector]:
    """UpdateBegin in a later session, of this image and of another one."""
    yield updated(
        "other-image",
        "Another image in the next session: what the slot held is gone, it starts at 0.",
        *opening(),
        *two_blocks(),
        *again(0.4, last_key=1),
        Moment(0.6).gets(begin(0, 2, SMALL)).results((2, DONE)).with_("wanted", [0]),
        Moment(0.7),
    )
    yield updated(
        "whole-again",
        "UpdateBegin of the image that is there already: DONE, and nothing is asked for.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)).results((1, DONE)),
        Moment(0.1).gets(block(1, 0, SMALL.image, acknowledged=2)),
        *again(0.4, last_key=1),
        Moment(0.6).gets(begin(0, 2, SMALL)).results((2, DONE)).with_("wanted", []),
        Moment(0.7).gets(apply(1, 3)).results((3, DONE)),
        Moment(0.8),
    )
    yield updated(
        "keys",
        "UpdateBegin is an action: its key is used up, and recalled in a later session.",
        *opening(),
        Moment(0.02).gets(begin(0, 3, SMALL)).results((3, DONE)),
        Moment(0.1).gets(begin(1, 3, SMALL, acknowledged=2)).results((3, FORGOTTEN)),
        *again(0.4, last_key=3),
        Moment(0.5).gets(recall(0, 7, 3), recall(1, 8, 5)).results((7, DONE), (8, NEVER)).with_("wanted", []),
        Moment(0.6),
    )


def blocks() -> Iterator[Vector]:
    """Blocks that nobody asked for."""
    small = SMALL.image
    early = (Moment(0.02).gets(block(0, 0, small)).with_("wanted", []),)
    wanted = Moment(0.04).gets(begin(1, 1, SMALL)).results((1, DONE)).with_("wanted", [0])
    for name, shows, stray in (
        (
            "too-short",
            "A block that is shorter than it should be is dropped.",
            block(2, 0, small[:99], acknowledged=2),
        ),
        (
            "too-long",
            "A block that is longer than it should be is dropped.",
            block(2, 0, LARGE.image, acknowledged=2),
        ),
    ):
        yield updated(
            f"block-{name}",
            f"{shows} The right one still counts; one before UpdateBegin does not.",
            *opening(),
            *early,
            wanted,
            Moment(0.1).gets(stray).results(),
            Moment(0.2).gets(apply(3, 2, acknowledged=2)).results((2, BUSY)),
            Moment(0.3).gets(block(4, 0, small, acknowledged=3)),
            Moment(0.5).gets(apply(5, 3, acknowledged=3)).results((3, DONE)),
            Moment(0.6),
        )


def unasked() -> Iterator[Vector]:
    """At most two blocks are asked for, and no others are accepted."""
    yield updated(
        "block-not-asked",
        "At most two blocks are asked for at a time: the third comes unasked and is dropped.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, LARGE)).results((1, DONE)),
        Moment(0.1).gets(block(1, 384, LARGE.image, acknowledged=2)).with_("unwanted", [384]),
        Moment(0.2).gets(block(2, 0, LARGE.image, acknowledged=2)),
        Moment(0.3).gets(block(3, 192, LARGE.image, acknowledged=3)),
        Moment(0.4).gets(block(4, 384, LARGE.image, acknowledged=4)),
        Moment(0.6).gets(apply(5, 2, acknowledged=4)).results((2, DONE)),
        Moment(0.7),
    )


def arming() -> Iterator[Vector]:
    """Play has priority over an update."""
    confirm = order(3, 4, "update_confirm", {})
    yield updated(
        "armed",
        "Armed, UpdateBegin, UpdateApply and UpdateConfirm are refused.",
        *opening(),
        Moment(0.02).gets(arm(0, 1)).results((1, DONE)).reports({"armed": {}}),
        Moment(0.03)
        .gets(begin(1, 2, SMALL), apply(2, 3), confirm)
        .results((2, REFUSED), (3, REFUSED), (4, REFUSED))
        .with_("wanted", []),
        Moment(0.1),
    )
    yield updated(
        "arm-in-transfer",
        "Arm in the middle of a transfer is taken: no more is asked for, blocks are dropped, the rest kept.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, MIDDLE)).results((1, DONE)),
        Moment(0.1).gets(block(1, 0, MIDDLE.image, acknowledged=2)),
        Moment(0.2).gets(armed(2, 2)).results((2, DONE)).reports({"armed": {}}),
        Moment(0.3).gets(block(3, 192, MIDDLE.image, acknowledged=2)).with_("wanted", []),
        Moment(0.4).gets(order(4, 3, "disarm", {}, acknowledged=2)).results((3, DONE)).with_("wanted", []),
        *again(0.5, last_key=1, committed=1),
        Moment(0.6).gets(begin(0, 4, MIDDLE)).results((4, DONE)).with_("wanted", [192]),
        Moment(0.7),
    )
    yield updated(
        "applied",
        "Between UpdateApply and the restart Arm and another UpdateBegin are refused.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)).results((1, DONE)),
        Moment(0.1).gets(block(1, 0, SMALL.image, acknowledged=2)),
        Moment(0.3).gets(apply(2, 2, acknowledged=2)).results((2, DONE)),
        Moment(0.4).gets(armed(3, 3), begin(4, 4, SMALL, acknowledged=2)).results((3, REFUSED), (4, REFUSED)),
        Moment(0.5),
    )
