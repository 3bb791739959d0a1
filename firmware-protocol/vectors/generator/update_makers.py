"""Vectors of section 12.6 for a device that can be updated: a key of its maker is replaced."""

from collections.abc import Iterator

from generator import device as clear
from generator.device import Moment, arm, order, rebooted
from generator.framing import Vector
from generator.messages import Message
from generator.update_transfers import (
    DONE,
    FIRMWARE,
    REFUSED,
    SMALL,
    again,
    apply,
    begin,
    block,
    opening,
    updated,
)
from generator.update_trials import applied, tried
from generator.updating import OTHER_SECRET, SECRET, maker_key, offer_of, signed_key
from generator.wire import Frame

NEW = offer_of(SMALL.image).by(OTHER_SECRET)
"""The same image, signed with the next key."""


def trust(sequence: int, key: int, body: Message, *, acknowledged: int = 0) -> Frame:
    """The host brings a key of the maker."""
    return order(sequence, key, "maker_key", body, acknowledged=acknowledged)


def makers() -> Iterator[Vector]:
    """What is taken, what is refused, and what becomes of an image."""
    next_key = maker_key(1, OTHER_SECRET)
    yield updated(
        "maker",
        "A key that the root key signed is trusted at once, the one before no more.",
        *opening(),
        Moment(0.02).gets(trust(0, 1, next_key)).results((1, DONE)),
        Moment(0.1).gets(begin(1, 2, SMALL, acknowledged=1)).results((2, REFUSED)),
        Moment(0.2).gets(begin(2, 3, NEW, acknowledged=2)).results((3, DONE)).with_("wanted", [0]),
        Moment(0.3),
    )
    yield updated(
        "maker-after-power",
        "The new key outlives a loss of power.",
        *opening(),
        Moment(0.02).gets(trust(0, 1, next_key)).results((1, DONE)),
        Moment(0.1).does("reboot", {"reset": 1}),
        *again(0.2, reset=1, newest=2, last_key=1, **rebooted()),
        Moment(0.3).gets(begin(0, 2, SMALL)).results((2, REFUSED)),
        Moment(0.4).gets(begin(1, 3, NEW, acknowledged=1)).results((3, DONE)).with_("wanted", [0]),
        Moment(0.5),
    )
    yield from refused(next_key)
    yield from images(next_key)


def refused(next_key: Message) -> Iterator[Vector]:
    """Keys that are not taken."""
    root = bytes(range(1, 33))
    for name, shows, body in (
        ("generation-0", "A generation of 0, which the factory's key has.", maker_key(0, OTHER_SECRET)),
        ("other-root", "Signed with a key that is not the root key.", maker_key(1, OTHER_SECRET, root)),
        ("own-signature", "Signed with the maker's key.", maker_key(1, OTHER_SECRET, SECRET)),
        ("other-hardware", "Signed for other hardware.", maker_key(1, OTHER_SECRET, hardware="A2")),
        ("other-generation", "Signed as generation 1, sent as 2.", next_key | {"generation": 2}),
        ("other-key", "Another key than the one that was signed.", next_key | {"key": bytes(32)}),
        ("no-key", "No key, signed with the root key.", signed_key(1, b"")),
        ("no-signature", "No signature.", next_key | {"signature": b""}),
    ):
        yield updated(
            f"maker-{name}",
            f"{shows} The key before stays.",
            *opening(),
            Moment(0.02).gets(trust(0, 1, body)).results((1, REFUSED)),
            Moment(0.1).gets(begin(1, 2, SMALL, acknowledged=1)).results((2, DONE)).with_("wanted", [0]),
            Moment(0.2),
        )
    later = maker_key(5, OTHER_SECRET)
    yield updated(
        "maker-generations",
        "Only a generation above the stored one is taken: neither a lower nor the same one.",
        *opening(),
        Moment(0.02).gets(trust(0, 1, later)).results((1, DONE)),
        Moment(0.1).gets(trust(1, 2, later, acknowledged=1)).results((2, REFUSED)),
        Moment(0.2).gets(trust(2, 3, maker_key(4, SECRET), acknowledged=2)).results((3, REFUSED)),
        Moment(0.3).gets(trust(3, 4, maker_key(6, SECRET), acknowledged=3)).results((4, DONE)),
        Moment(0.4).gets(begin(4, 5, SMALL, acknowledged=4)).results((5, DONE)),
        Moment(0.5),
    )
    yield updated(
        "maker-armed",
        "Armed, no key is taken.",
        *opening(),
        Moment(0.02).gets(arm(0, 1)).results((1, DONE)).reports({"armed": {}}),
        Moment(0.1).gets(trust(1, 2, next_key, acknowledged=1)).results((2, REFUSED)),
        Moment(0.2),
    )


def images(next_key: Message) -> Iterator[Vector]:
    """An image in the spare slot when another key comes."""
    yield updated(
        "maker-while-filling",
        "In a transfer: the image under the old key is gone, and no more of it is asked for.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)).results((1, DONE)).with_("wanted", [0]),
        Moment(0.1).gets(trust(1, 2, next_key, acknowledged=2)).results((2, DONE)),
        Moment(0.2).gets(block(2, 0, SMALL.image, acknowledged=3)).with_("wanted", []),
        Moment(0.3).gets(apply(3, 3, acknowledged=3)).results((3, REFUSED)),
        Moment(0.4),
    )
    yield updated(
        "maker-when-whole",
        "A whole image under the old key is gone.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)).results((1, DONE)).with_("wanted", [0]),
        Moment(0.1).gets(block(1, 0, SMALL.image, acknowledged=2)),
        Moment(0.3).gets(trust(2, 2, next_key, acknowledged=2)).results((2, DONE)),
        Moment(0.4).gets(apply(3, 3, acknowledged=3)).results((3, REFUSED)),
        Moment(0.5),
    )
    yield updated(
        "maker-on-trial",
        "While the test slot runs no key is taken.",
        *applied(),
        *tried(2.0),
        Moment(2.1).gets(trust(0, 3, next_key)).results((3, REFUSED)),
        Moment(2.2),
    )
    yield updated(
        "maker-good-slot",
        "The firmware that runs starts again although its maker's key was replaced.",
        *opening(),
        Moment(0.02).gets(trust(0, 1, next_key)).results((1, DONE)),
        Moment(0.1).does("reboot", {"reset": 1}),
        *clear.again(0.2, firmware=FIRMWARE, reset=1, newest=2, last_key=1, **rebooted()),
        Moment(0.3),
    )
