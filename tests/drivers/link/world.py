"""Two endpoints, a cable with faults between them, and virtual time."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from drivers.link.codec import command_message, event_message
from drivers.link.endpoint import Ended, Endpoint, Received, Timing, Vitals
from drivers.link.frames import Deframer, WireFrame
from drivers.messages import Buzz, CutCard
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Side

LATENCY = 0.001


@dataclass
class Faults:
    """Chances that a run of bytes between two zeros is lost, damaged or doubled."""

    drop: float = 0.0
    flip: float = 0.0
    duplicate: float = 0.0

    def apply(self, line: bytes, chance: random.Random) -> bytes:
        return b"\0".join(self._run(run, chance) for run in line.split(b"\0"))

    def _run(self, run: bytes, chance: random.Random) -> bytes:
        if not run or chance.random() < self.drop:
            return b""
        if chance.random() < self.flip:
            damaged = bytearray(run)
            damaged[chance.randrange(len(run))] ^= 1 << chance.randrange(8)
            return bytes(damaged)
        return run + b"\0" + run if chance.random() < self.duplicate else run


@dataclass
class Direction:
    """Bytes on their way; `rate` in bytes per second, inf for a pty."""

    faults: Faults
    chance: random.Random
    rate: float = inf
    cut: bool = False
    log: bytearray = field(default_factory=bytearray)
    _flying: list[tuple[float, bytes]] = field(default_factory=list)
    _free_at: float = 0.0

    def put(self, line: bytes, now: float) -> None:
        if not line:
            return
        self.log += line
        if self.cut:
            return
        self._free_at = max(now, self._free_at) + len(line) / self.rate
        self._flying.append((self._free_at + LATENCY, self.faults.apply(line, self.chance)))

    def due(self) -> float:
        return self._flying[0][0] if self._flying else inf

    def get(self, now: float) -> bytes:
        came = b""
        while self._flying and self._flying[0][0] <= now:
            came += self._flying.pop(0)[1]
        return came

    def frames(self) -> list[WireFrame]:
        """All frames that were put on this line."""
        return [item for item in Deframer().feed(bytes(self.log)) if isinstance(item, WireFrame)]


class Pair:
    """A host's and a device's endpoint on one cable; `heard` is what each received, in order."""

    def __init__(
        self,
        faults: Faults | None = None,
        seed: int = 0,
        *,
        timing: Timing | None = None,
        rate: float = inf,
        host_vitals: Callable[[], Vitals] = Vitals,
        device_vitals: Callable[[], Vitals] = Vitals,
    ) -> None:
        self.now = 100.0
        self.host = Endpoint(Side.HOST, self.now, host_vitals, timing)
        self.device = Endpoint(Side.DEVICE, self.now, device_vitals, timing)
        faults = faults or Faults()
        self.down = Direction(faults, random.Random(seed), rate)
        self.up = Direction(faults, random.Random(seed + 1), rate)
        self.heard: dict[Side, list[Received | Ended]] = {Side.HOST: [], Side.DEVICE: []}
        self.host.install(self.now)
        self.device.install(self.now)
        self.flush()

    def flush(self) -> None:
        """Puts everything that is due on the cable."""
        self.down.put(self.host.take(self.now), self.now)
        self.up.put(self.device.take(self.now), self.now)

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while (soonest := self._soonest()) <= until:
            self.now = max(self.now, soonest)
            self.step()
        self.now = until

    def step(self) -> None:
        """Handles what is due at this moment."""
        for side, end, line in ((Side.HOST, self.host, self.up), (Side.DEVICE, self.device, self.down)):
            came = line.get(self.now)
            if came:
                self.heard[side] += end.feed(came, self.now)
            self.heard[side] += end.tick(self.now)
        self.flush()

    def said(self, side: Side, name: str) -> list[Received]:
        """Messages with this name that `side` received."""
        return [item for item in self.heard[side] if isinstance(item, Received) and item.name == name]

    def ended(self, side: Side) -> list[Ended]:
        """How this side's sessions ended."""
        return [item for item in self.heard[side] if isinstance(item, Ended)]

    def _soonest(self) -> float:
        ends = (self.host.deadline(self.now), self.device.deadline(self.now))
        return min(*ends, self.up.due(), self.down.due())


def command(key: int) -> tsl.Frame:
    """A frame's message with command `key`."""
    return command_message(key, Buzz(1))


def event(number: int) -> tsl.Frame:
    """A frame's message with event `number`."""
    return event_message(number, 0, b"bootboot", CutCard(number))


def number(item: Received) -> int:
    """The key of a command, the number of an event."""
    message = item.message
    assert isinstance(message, tsl.Command | tsl.Event)
    return message.key if isinstance(message, tsl.Command) else message.number


def sent_by(end: Endpoint, now: float) -> list[WireFrame]:
    """The frames that this end writes now."""
    return [item for item in Deframer().feed(end.take(now)) if isinstance(item, WireFrame)]


def names(end: Endpoint, data: bytes, now: float) -> list[str]:
    """What this end reports for these bytes: names of messages, reasons of ends."""
    return [item.name if isinstance(item, Received) else item.reason for item in end.feed(data, now)]
