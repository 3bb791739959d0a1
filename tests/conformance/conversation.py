"""A random host and two devices that must behave alike, in virtual time."""

from math import ceil, inf
from random import Random

from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, DeviceClass, Flag, Reset
from drivers.sim.link.commands import COMMANDS_OF
from drivers.update.signing import public_key

from .firmware import Program
from .hostile import HostileHost
from .twins import Shape, Twins

GRID = 64
"""Times are multiples of 1/64 s: floats and whole microseconds both have them exactly."""
NEAR = 2e-5
"""Seconds: where deadlines may differ slightly, nothing is done this close to one."""
BEAT = GRID // 2
"""Seconds between two heartbeats of the host."""
PAUSES = (*[0] * 30, *[1] * 10, 2, 2, 4, 4, 8, 16, 32, 40, 100, 200, 650, 4000)
"""Seconds between two acts."""


class Conversation:
    """The life of one device; the seed decides everything."""

    def __init__(self, seed: str, program: Program) -> None:
        self.chance = chance = Random(seed)
        self.program = program
        self.frames = 0
        """Frames of the host."""
        self.ticks = 0
        self.command_key = 0
        self.image = b""
        """The image that the host announced last."""
        self.device_class = device_class = chance.choice(list(DeviceClass))
        self.known = COMMANDS_OF[device_class]
        key = chance.randbytes(32) if chance.random() < 0.7 else b""
        self.maker = chance.randbytes(32)
        """The key that signs images, if this device takes any."""
        maker = public_key(self.maker) if chance.random() < 0.4 else b""
        slots, steps = chance.choice((66, 70, 90, 200, 1024)), chance.choice((0, 0, 7, 100, 611, 612))
        self.root = chance.randbytes(32)
        root = public_key(self.root)
        shape = Shape(device_class, key, chance.randbytes(32), slots, maker, root, steps)
        self.twins = Twins(shape, program, chance.randbytes)
        self.host = HostileHost(key, chance)
        self._commits = chance.random() < 0.7
        self.boot()

    @property
    def now(self) -> float:
        return self.ticks / GRID

    def feed(self, data: bytes) -> None:
        """The host's bytes arrive, in one or two pieces."""
        self.frames += data.count(0) // 2
        cut = self.chance.randint(0, len(data)) if self.chance.random() < 0.2 else 0
        for part in filter(None, (data[:cut], data[cut:])):
            self.twins.feed(part, self.now)
        self.settle()

    def settle(self) -> None:
        if self.twins.off:
            self.boot()
        self.host.take(self.twins.take(self.now))
        if self.twins.link.restarts:
            self.boot()

    def wait(self) -> None:
        """Time passes; a host in its right state sends heartbeats."""
        ticks, awake = self.chance.choice(PAUSES), self.chance.random() < 0.95
        end = self.ticks + ticks
        while self.ticks < end:
            self._run(min(end, self.ticks + BEAT))
            if awake and self.host.in_session:
                self.feed(self.heartbeat() if ticks >= BEAT else self.host.say(b""))

    def boot(self) -> None:
        """The device starts on its memory."""
        reset = self.chance.choice(list(Reset))
        self.twins.reboot(reset, self.now)

    def heartbeat(self) -> bytes:
        """A heartbeat with what the host has on disk."""
        chance, now = self.chance, int(self.now * 1_000_000)
        known = self.host.newest if self._commits else 0
        beat = common.Heartbeat(
            now_us=now + 7,
            echo_us=chance.choice((0, max(0, now - 40_000), now + 5)),
            held_us=chance.choice((0, 900)),
            committed=chance.choice((0, known, known, known + self._commits)),
        )
        return self.host.say(tsl.Frame(heartbeat=beat).SerializeToString())

    def command(self, command: tsl.Frame) -> bytes:
        """The host sends this command."""
        return self.host.say(command.SerializeToString(), Channel.COMMANDS, Flag.CRITICAL)

    def _run(self, end: int) -> None:
        while (due := _after(self.twins.deadline(self.now), self.ticks)) <= end:
            self.ticks = int(due)
            self.twins.tick(self.now)
            self.settle()
        self.ticks = max(end, self.ticks)
        while 0 < abs(self.now - self.twins.deadline(self.now)) < NEAR:
            self.ticks += 1


def _after(deadline: float, now: int) -> float:
    """The first time of the grid at which a deadline has clearly passed."""
    if deadline == inf:
        return inf
    ticks = ceil(deadline * GRID)
    return max(now + 1, ticks + (0 < ticks / GRID - deadline < NEAR))
