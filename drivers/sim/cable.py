"""One direction of a faulty cable: what goes in comes out later, in order, and not always whole."""

from collections import Counter, deque
from dataclasses import dataclass
from random import Random

MOST_WAITING = 65_536
LONGEST_RUN = 1_024
SPLIT_GAP = 0.003
"""Seconds between the two pieces of a split frame."""
BITS_PER_BYTE = 10
"""8N1: with start and stop bit."""


@dataclass(frozen=True, slots=True)
class Faults:
    """Chances for each frame, 0 to 1. A stall holds the line up for `stall_seconds`."""

    drop: float = 0.0
    flip: float = 0.0
    duplicate: float = 0.0
    split: float = 0.0
    stall: float = 0.0
    stall_seconds: float = 0.2

    @property
    def none(self) -> bool:
        return not (self.drop or self.flip or self.duplicate or self.split or self.stall)


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that come out together."""

    at: float
    data: bytes


class Cable:
    """Faults hit whole frames, which are what lies between zero bytes. A good cable passes any bytes.

    The same seed and frames give the same faults. `baud` 0: transmission takes no time.
    """

    def __init__(self, seed: str, faults: Faults, baud: int = 0) -> None:
        self.faults = faults
        self.counts: Counter[str] = Counter()
        """Frames passed, dropped, flipped, duplicated, split, stalled; `overrun` counts lost bytes."""
        self._random = Random(seed)
        self._baud = baud
        self._run = b""
        self._waiting: deque[Piece] = deque()
        self._size = 0
        self._free_at = 0.0

    def put(self, data: bytes, now: float) -> None:
        if self.faults.none:
            self._send(self._run + data, now)
            self._run = b""
            return
        *frames, self._run = (self._run + data).split(b"\0")
        for frame in filter(None, frames):
            self._carry(frame, now, edge=b"\0")
        if len(self._run) > LONGEST_RUN:
            self._send(self._run, now)
            self._run = b""

    def take(self, now: float) -> bytes:
        out = bytearray()
        while self._waiting and self._waiting[0].at <= now:
            out += self._waiting.popleft().data
        self._size -= len(out)
        return bytes(out)

    @property
    def deadline(self) -> float:
        """When the next bytes come out; infinite if there are none."""
        return self._waiting[0].at if self._waiting else float("inf")

    def cut(self) -> None:
        """Loses everything on its way."""
        self._waiting.clear()
        self._run, self._size = b"", 0

    def _carry(self, frame: bytes, now: float, edge: bytes = b"") -> None:
        if self._strikes("stall", "stalled"):
            self._free_at = max(self._free_at, now) + self.faults.stall_seconds
        if self._strikes("drop", "dropped"):
            return
        if self._strikes("flip", "flipped"):
            frame = self._flipped(frame)
        whole = edge + frame + edge
        if self._strikes("duplicate", "duplicated"):
            self._send(whole, now)
        if len(whole) > 1 and self._strikes("split", "split"):
            at = self._random.randrange(1, len(whole))
            self._send(whole[:at], now)
            self._free_at += SPLIT_GAP
            whole = whole[at:]
        self._send(whole, now)
        self.counts["passed"] += 1

    def _strikes(self, fault: str, counted: str) -> bool:
        chance: float = getattr(self.faults, fault)
        struck = chance > 0 and self._random.random() < chance
        self.counts[counted] += struck
        return struck

    def _flipped(self, frame: bytes) -> bytes:
        place = self._random.randrange(len(frame))
        broken = frame[place] ^ 1 << self._random.randrange(8)
        return frame[:place] + bytes([broken]) + frame[place + 1 :]

    def _send(self, data: bytes, now: float) -> None:
        if self._size + len(data) > MOST_WAITING:
            self.counts["overrun"] += len(data)
            return
        if data:
            seconds = len(data) * BITS_PER_BYTE / self._baud if self._baud else 0.0
            self._free_at = max(self._free_at, now) + seconds
            self._size += len(data)
            self._waiting.append(Piece(self._free_at, data))
