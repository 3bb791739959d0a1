"""Vectors of section 12.3 for a device that can be updated: what its boot loader starts."""

from collections.abc import Iterator

from generator.device import Moment, rebooted
from generator.framing import Vector
from generator.proving import clear, host_hello
from generator.script import Step
from generator.update_makers import trust
from generator.update_transfers import (
    DONE,
    REFUSED,
    SMALL,
    again,
    apply,
    begin,
    block,
    opening,
    updated,
)
from generator.update_trials import NEW, POWER, applied, confirm, restarted, third, tried
from generator.updating import OTHER_SECRET, maker_key


def boots() -> Iterator[Vector]:
    """The spare slot needs signature, size and hash, the good one the hash that was noted."""
    yield updated(
        "boots-spare-damaged",
        "A bit of the image flips after UpdateApply: the old firmware starts, and the image is gone.",
        *opening(),
        Moment(0.02).gets(begin(0, 1, SMALL)).results((1, DONE)).with_("wanted", [0]),
        Moment(0.1).gets(block(1, 0, SMALL.image, acknowledged=2)),
        Moment(0.3).gets(apply(2, 2, acknowledged=2)).results((2, DONE)),
        damaged(0.31, "spare"),
        restarted(0.32, POWER),
        *again(0.4, reset=POWER, newest=2, last_key=2, **rebooted()),
        Moment(0.5).gets(apply(0, 3)).results((3, REFUSED)),
        Moment(0.6),
    )
    yield updated(
        "boots-good-damaged",
        "A bit of the confirmed image flips: nothing starts.",
        *confirmed(),
        damaged(2.9, "good"),
        restarted(3.0, POWER),
        silent(3.1),
        Moment(3.6),
    )
    yield updated(
        "boots-good-damaged-in-trial",
        "A bit of the good image flips while another one is on trial: its revert starts nothing.",
        *confirmed(),
        Moment(2.2).gets(begin(1, 4, SMALL, acknowledged=1)).results((4, DONE)).with_("wanted", [0]),
        Moment(2.3).gets(block(2, 0, SMALL.image, acknowledged=3)),
        Moment(2.4).gets(apply(3, 5, acknowledged=3)).results((5, DONE)),
        restarted(3.0, POWER),
        damaged(3.1, "good"),
        restarted(3.2, POWER),
        silent(3.3),
        Moment(3.8),
    )
    yield updated(
        "boots-good-of-a-replaced-key",
        "The confirmed image starts although the key that signed it was replaced: its hash counts.",
        *confirmed(),
        Moment(2.2).gets(trust(1, 4, maker_key(1, OTHER_SECRET), acknowledged=1)).results((4, DONE)),
        restarted(3.0, POWER),
        *third(3.1, firmware=NEW, reset=POWER, last_key=4),
        Moment(3.2),
    )


def confirmed() -> list[Step]:
    """A device that has confirmed an update."""
    return [*applied(), *tried(2.0), Moment(2.1).gets(confirm(0, 3)).results((3, DONE))]


def damaged(at: float, slot: str) -> Step:
    return Moment(at).does("damage", slot)


def silent(at: float) -> Step:
    """A Hello that nobody answers."""
    return Moment(at).gets(clear(host_hello())).says()
