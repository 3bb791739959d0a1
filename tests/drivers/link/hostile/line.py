"""One direction of a cable that does everything a cable can, and records what it did to each frame."""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from drivers.link.frames import WireFrame, decode

LATENCY = 0.0005
SPLIT_GAP = 0.002
MOST_WAITING = 4096
"""Bytes that wait for a side that does not read, as in a tty's buffer; more are lost."""
FATES = ("dropped", "cut", "overrun", "intact", "damaged")
"""What happens to a frame: one of these."""


@dataclass(frozen=True, slots=True)
class Faults:
    """Chances for each frame, 0 to 1."""

    drop: float = 0.0
    flip: float = 0.0
    duplicate: float = 0.0
    split: float = 0.0
    stall: float = 0.0


@dataclass(frozen=True, slots=True)
class Unit:
    """One frame on the cable. `kind`: own, duplicate or one of the attacker's; `run`: its bytes between two
    zeros; `line`: as they are on the cable; `frame`: whether a receiver must take it for a frame."""

    kind: str
    run: bytes
    line: bytes
    frame: bool = True


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that come out together; `last` of its unit."""

    at: float
    data: bytes
    unit: Unit
    last: bool


@dataclass(frozen=True, slots=True)
class Came:
    """A piece that came out: how many runs of noise it ended, and whether it ended its unit's intact
    frame."""

    unit: Unit
    data: bytes
    noise: int
    frame: bool


class HostileLine:
    """`counts`: `own` frames with their `bytes`, `retransmitted` and `naks`; `duplicate` and injected kinds;
    FATES; what came out: `frames`, runs of `noise`, bytes (`out`), and injected kinds as "kind, intact"."""

    def __init__(self, random: Random, faults: Faults) -> None:
        self.faults = faults
        self.counts: Counter[str] = Counter()
        self.cut = False
        self._random = random
        self._waiting: deque[Piece] = deque()
        self._size = 0
        self._free_at = 0.0
        self._partial = b""

    @property
    def under_way(self) -> int:
        """Frames that have not come out yet."""
        return sum(piece.last for piece in self._waiting)

    def put(self, data: bytes, now: float) -> list[bytes]:
        """Bytes that a side wrote; counts its frames."""
        runs = [run for run in data.split(b"\0") if run]
        self.counts["bytes"] += len(data)
        for run in runs:
            self.counts["own"] += 1
            self._count_header(run)
            self._carry(Unit("own", run, b"\0" + run + b"\0"), now)
        return runs

    def inject(self, kind: str, run: bytes, now: float) -> None:
        """Somebody else writes."""
        self.counts[kind] += 1
        self._send(Unit(kind, run, b"\0" + run + b"\0", isinstance(decode(run), WireFrame)), now)

    def due(self) -> float:
        """When the next bytes come out."""
        return self._waiting[0].at if self._waiting else float("inf")

    def take(self, now: float) -> Iterator[Came]:
        """What has come out by now, piece by piece."""
        while self._waiting and self._waiting[0].at <= now:
            piece = self._waiting.popleft()
            self._size -= len(piece.data)
            yield self._delivered(piece)

    def pull(self) -> None:
        """The cable is pulled: what is under way is lost."""
        for piece in self._waiting:
            self.counts["cut"] += piece.last
        self._waiting.clear()
        self._size = 0
        self.cut = True

    def forget(self) -> None:
        """The reader starts anew: its part of a frame is gone."""
        self._partial = b""

    def _count_header(self, run: bytes) -> None:
        frame = decode(run)
        if isinstance(frame, WireFrame):
            self.counts["retransmitted"] += frame.flags >> 1 & 1
            self.counts["naks"] += frame.flags >> 3 & 1

    def _carry(self, unit: Unit, now: float) -> None:
        if self._strikes(self.faults.drop):
            self.counts["dropped"] += 1
            return
        if self._strikes(self.faults.stall):
            self._free_at = max(now, self._free_at) + self._random.random() * 0.3
        if self._strikes(self.faults.flip):
            unit = self._flipped(unit)
        self._send(unit, now)
        if self._strikes(self.faults.duplicate):
            self.counts["duplicate"] += 1
            self._send(replace(unit, kind="duplicate"), now)

    def _strikes(self, chance: float) -> bool:
        return chance > 0 and self._random.random() < chance

    def _flipped(self, unit: Unit) -> Unit:
        line = bytearray(unit.line)
        for _ in range(self._random.choice((1, 1, 1, 2, 3))):
            line[self._random.randrange(len(line))] ^= 1 << self._random.randrange(8)
        return replace(unit, line=bytes(line), frame=bytes(line) == unit.line)

    def _send(self, unit: Unit, now: float) -> None:
        if self.cut or self._size + len(unit.line) > MOST_WAITING:
            self.counts["cut" if self.cut else "overrun"] += 1
            return
        self._size += len(unit.line)
        self._free_at = max(self._free_at, now)
        ours = unit.kind in ("own", "duplicate")
        at = self._random.randrange(1, len(unit.line)) if ours and self._strikes(self.faults.split) else 0
        if at:
            self._waiting.append(Piece(self._free_at + LATENCY, unit.line[:at], unit, False))
            self._free_at += SPLIT_GAP
        self._waiting.append(Piece(self._free_at + LATENCY, unit.line[at:], unit, True))

    def _delivered(self, piece: Piece) -> Came:
        """Which runs ended, without the link's own deframer: an intact one is as it was sent."""
        unit = piece.unit
        *ended, self._partial = (self._partial + piece.data).split(b"\0")
        runs = [run for run in ended if run]
        whole = piece.last and unit.run in runs
        came = Came(unit, piece.data, len(runs) - (whole and unit.frame), whole and unit.frame)
        self.counts["out"] += len(piece.data)
        self.counts["frames"] += came.frame
        self.counts["noise"] += came.noise
        if piece.last:
            self.counts["intact" if whole else "damaged"] += 1
            self.counts[f"{unit.kind}, intact"] += whole
        return came
