"""Which worlds are played, and their figures."""

import gc
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import cycle, product

from drivers.protocol.codes import DeviceClass
from tests.drivers.link.hostile.trouble import TROUBLES
from tests.drivers.link.hostile.world import World

A_WORLD = 20_000
"""Frames of one world, at most."""
SMALL_RING = 96
"""Slots of some devices: with so few, minor events are lost and must be reported as lost."""


@dataclass(frozen=True, slots=True)
class Play:
    """One world to play."""

    seed: int
    device_class: DeviceClass
    trouble: str
    frames: int
    capacity: int = 1024


@dataclass(frozen=True, slots=True)
class Figures:
    """What happened in worlds: on the cables, at the ends, to the ends. `held`: the most blocks of memory
    that a process held after one of them."""

    frames: int = 0
    worlds: int = 0
    held: int = 0
    cable: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    befell: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: "Figures") -> "Figures":
        return Figures(
            self.frames + other.frames,
            self.worlds + other.worlds,
            max(self.held, other.held),
            self.cable + other.cable,
            self.ends + other.ends,
            self.befell + other.befell,
        )


def plays(frames: int, seed: int) -> list[Play]:
    """This many frames, over all classes and troubles."""
    kinds = cycle(product(TROUBLES, DeviceClass))
    size = min(A_WORLD, max(500, frames // (len(TROUBLES) * len(DeviceClass))))
    return [
        Play(seed * 1_000_000 + number, device_class, trouble, size, SMALL_RING if number % 7 == 3 else 1024)
        for number, (trouble, device_class) in zip(range(-(-frames // size)), kinds, strict=False)
    ]


def play(asked: Play) -> Figures:
    """Raises AssertionError when a promise breaks."""
    try:
        return _played(asked)
    except AssertionError as error:
        raise AssertionError(f"{asked}: {error}") from error


def _played(asked: Play) -> Figures:
    world = World(asked.seed, asked.device_class, TROUBLES[asked.trouble], capacity=asked.capacity)
    world.run(asked.frames)
    world.settle()
    world.audit.check()
    journal, cable = world.journal, world.lines["down"].counts + world.lines["up"].counts
    ends = world.audit.total("down") + world.audit.total("up")
    done = Counter(
        events=journal.newest,
        lost=journal.lost,
        cards=journal.cards,
        actions=journal.ended,
        executed=len(world.device.executed),
    )
    judged = Counter({f"{kind}, refused": count for kind, count in world.audit.judged.items()})
    figures = Figures(world.frames, 1, 0, cable + judged, ends + done, world.befell)
    del world, journal
    return replace(figures, held=_blocks())


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()
