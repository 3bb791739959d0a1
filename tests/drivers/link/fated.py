"""A cable on which the test chooses what happens to each of the first frames in either direction."""

from collections.abc import Iterator
from itertools import chain, repeat
from math import inf
from random import Random
from typing import Any

from tests.drivers.link.rig import Rig
from tests.drivers.link.world import LATENCY, Direction, Faults
from tests.fixtures.link_pair import START, LinkPair

LATE = 0.3
"""Seconds that a late frame takes: longer than the repeat interval of a step."""
COPIES = {
    "passes": (0.0,),
    "drops": (),
    "doubles": (0.0, 0.0),
    "comes late": (LATE,),
    "comes again late": (0.0, LATE),
}
"""When the copies of a frame come out, by its fate."""


class FatedLine(Direction):
    """One direction; `fates` are shared by both, and all later frames pass."""

    def __init__(self, fates: Iterator[str]) -> None:
        super().__init__(Faults(), Random(0))
        self._fates = fates

    def put(self, line: bytes, now: float) -> None:
        """Bytes that a side wrote."""
        for run in filter(None, line.split(b"\0")):
            for late in COPIES[next(self._fates)]:
                self._flying.append((now + LATENCY + late, b"\0" + run + b"\0"))
        self._flying.sort(key=lambda piece: piece[0])

    def due(self) -> float:
        return self._flying[0][0] if self._flying else inf

    def get(self, now: float) -> bytes:
        """The bytes that have come out by now."""
        came = b"".join(run for at, run in self._flying if at <= now)
        self._flying = [piece for piece in self._flying if piece[0] > now]
        return came


def fated(fates: tuple[str, ...], **options: Any) -> tuple[LinkPair, Rig]:
    """Both real ends, sealed, on such a cable."""
    rig = Rig(START)
    stage = LinkPair(rig, **options)
    left = chain(fates, repeat("passes"))
    stage.down, stage.up = FatedLine(left), FatedLine(left)
    stage.retry = True
    return stage, rig
