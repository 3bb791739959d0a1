"""Vectors of section 12 for a device that can be updated: the trial, the confirm, the revert."""

from collections.abc import Iterator

from generator import device as clear
from generator.device import Moment, arm, beat, order, rebooted
from generator.framing import Vector
from generator.messages import Message
from generator.proving import device_hello, host_hello
from generator.script import Step
from generator.sealed_device import FOURTH_NONCE
from generator.update_transfers import (
    DONE,
    FIRMWARE,
    NAMES,
    REFUSED,
    SMALL,
    UPDATING,
    VERSION,
    apply,
    begin,
    block,
    opening,
    updated,
)
from generator.updating import offer_of
from generator.wire import OPEN, Frame

NEW = NAMES[str(SMALL.version)]
UPDATE = 5
POWER = 1
BYE: Message = {"bye": {"reason": 6}}


def confirm(sequence: int, key: int) -> Frame:
    """The host has found the new firmware good."""
    return order(sequence, key, "update_confirm", {})


def applied() -> list[Step]:
    """An image of one block is taken and applied; the device says Bye and starts the test slot."""
    return [
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)).results((1, DONE)).with_("wanted", [0]),
        Moment(0.1).gets(block(1, 0, SMALL.image, acknowledged=2)),
        Moment(0.3).gets(apply(2, 2, acknowledged=2)).results((2, DONE)),
        Moment(0.4).gets(Frame(0, b"", 0, 3, OPEN)).says_like(BYE).with_("restarts", True),
        restarted(1.5, UPDATE),
    ]


def restarted(at: float, reset: int) -> Step:
    """The device restarts with the same memory and slots."""
    return Moment(at).does("reboot", {"reset": reset})


def tried(at: float, **changes: object) -> list[Step]:
    """A session of the test slot."""
    start: dict[str, object] = {"firmware": NEW, "test_slot": True, "newest": 2}
    return clear.again(at, reset=UPDATE, last_key=2, **rebooted() | start | changes)


def third(at: float, **changes: object) -> list[Step]:
    """The third session, after another start."""
    start: dict[str, object] = rebooted(3) | {"echo": FOURTH_NONCE, "newest": 3}
    return clear.installed(at, host_hello(nonce=FOURTH_NONCE), device_hello(**start | changes))


def trials() -> Iterator[Vector]:
    """What a test slot may do, and what becomes of it."""
    yield updated(
        "trial",
        "The test slot says so in its Hello and its heartbeats, and cannot be armed or updated.",
        *applied(),
        *tried(2.0),
        Moment(2.02)
        .gets(arm(0, 3, 2), begin(1, 4, SMALL), apply(2, 5))
        .results((3, REFUSED), (4, REFUSED), (5, REFUSED))
        .reports()
        .with_("beats", {"count": 1, "last": {"mode": UPDATING}}),
        Moment(2.6),
    )
    older = offer_of(SMALL.image, SMALL.version - 1)
    yield updated(
        "confirm",
        "UpdateConfirm: the device can be armed, keeps its firmware, and takes no lower version.",
        *applied(),
        *tried(2.0),
        Moment(2.1).gets(confirm(0, 3), confirm(1, 4)).results((3, DONE), (4, REFUSED)),
        Moment(2.2).gets(arm(2, 5, 2)).results((5, DONE)).reports({"armed": {}}),
        restarted(3.0, POWER),
        *third(3.1, firmware=NEW, reset=POWER, committed=2, last_key=4),
        Moment(3.2).gets(begin(0, 6, older), begin(1, 7, SMALL)).results((6, REFUSED), (7, DONE)),
        Moment(3.3),
    )
    yield from reverts()


def reverts() -> Iterator[Vector]:
    """A trial without a confirm."""
    yield updated(
        "revert",
        "The power goes in the trial: the old firmware starts, and may try the image again.",
        *applied(),
        *tried(2.0),
        restarted(3.0, POWER),
        *third(3.1, firmware=FIRMWARE, reset=POWER, last_key=2),
        Moment(3.2).gets(confirm(0, 3), apply(1, 4)).results((3, REFUSED), (4, DONE)),
        Moment(3.3),
    )
    yield updated(
        "revert-counter",
        "After a revert the version that runs is taken again: a revert is no downgrade.",
        *applied(),
        *tried(2.0),
        restarted(3.0, POWER),
        *third(3.1, firmware=FIRMWARE, reset=POWER, last_key=2),
        Moment(3.2).gets(begin(0, 3, offer_of(SMALL.image, VERSION))).results((3, DONE)).with_("wanted", [0]),
        Moment(3.3),
    )
    yield from ends()


def ends() -> Iterator[Vector]:
    """The 120 s are over."""
    yield updated(
        "trial-ends",
        "The host is gone: 120 s after its start the device leaves the test slot.",
        *applied(),
        *tried(2.0),
        Moment(6.0).with_("restarts", False),
        Moment(121.0).with_("restarts", True),
        restarted(122.0, UPDATE),
        *third(122.1, firmware=FIRMWARE, reset=UPDATE, last_key=2),
        Moment(122.2),
    )
    yield updated(
        "trial-ends-in-session",
        "The host is there and confirms nothing: Bye(UPDATE) 120 s after the start.",
        *applied(),
        *tried(2.0),
        *(Moment(2.5 + n * 2.5).gets(beat()) for n in range(48)),
        Moment(121.0).gets(beat()).says_like(BYE).with_("restarts", True),
        Moment(122.0),
    )
