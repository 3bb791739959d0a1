"""A host and a device, both sealed, on a hostile cable, in virtual time.

The device's memory and what the journal has flushed are durable; everything else dies with its side.
"""

from collections import Counter
from dataclasses import dataclass
from math import inf
from random import Random

from drivers.link.host import HostLink
from drivers.link.reports import CardsMissing, DeviceRefused, DeviceUp, LinkEvent
from drivers.protocol.codes import DeviceClass
from drivers.sim.link.device import DeviceLink
from tests.drivers.link.hostile import play
from tests.drivers.link.hostile.attacker import Attacker
from tests.drivers.link.hostile.audit import Audit
from tests.drivers.link.hostile.hardware import Hardware, PowerLostError
from tests.drivers.link.hostile.journal import Journal
from tests.drivers.link.hostile.line import Faults, HostileLine
from tests.drivers.link.hostile.table import Table
from tests.drivers.link.hostile.trouble import Trouble
from tests.drivers.link.rig import KEY

MOMENT = 0.01
"""Seconds between two things that the ends do."""
START = 1000.0
LONG = 3.0
SERVING = ("catching up", "running")
PATIENCE = 90.0
"""Seconds in which everything is settled once the cable is good."""


@dataclass(frozen=True, slots=True)
class Nap:
    """A side does not run."""

    since: float = 0.0
    until: float = 0.0


class World:
    """One play. The same seed plays alike."""

    def __init__(
        self, seed: int, device_class: DeviceClass, trouble: Trouble, *, capacity: int = 1024
    ) -> None:
        self.random = Random(f"{seed}/{device_class.name}")
        self.now, self.trouble = START, trouble
        self.device = Hardware(device_class, self.random, self.now, key=KEY, capacity=capacity)
        self.device.power_goes = trouble.power_goes
        self.journal = Journal(self.device)
        self.lines = {way: HostileLine(Random(f"{seed}/{way}"), trouble.faults) for way in ("down", "up")}
        self.befell: Counter[str] = Counter()
        self.attacker = Attacker(self.random)
        self._asleep = {"down": Nap(), "up": Nap()}
        """Until when the end of each direction does not run."""
        self._mended_at = 0.0
        self._moment_at = self.now
        self._again_at = inf
        self.table = Table(self.device, self.journal, self.random, self.now)
        self.audit = Audit(self.lines, {"down": self.device.link.counters, "up": self.host.counters})

    @property
    def host(self) -> HostLink:
        """The live host."""
        return self.table.host

    @property
    def frames(self) -> int:
        """Frames that came out of the cable."""
        return sum(line.counts["frames"] for line in self.lines.values())

    def run(self, frames: int) -> None:
        """Runs until this many frames came out."""
        while self.frames < frames:
            self._advance()

    def settle(self) -> None:
        """The cable is good from now on: everything that happened reaches the journal, everything that began
        ends."""
        self.trouble = Trouble()
        self.device.power_goes = 0.0
        for line in self.lines.values():
            line.faults, line.cut = Faults(), False
        gives_up = self.now + PATIENCE
        while not self._settled():
            assert self.now < gives_up, f"not settled: {self.host.phase}, {self.journal}"
            self._advance()

    def _settled(self) -> bool:
        done = self.journal.newest == self.device.memory.newest == self.device.memory.committed
        return done and not self.journal.open_actions and self.host.phase == "running"

    def _advance(self) -> None:
        self.now = max(self.now, min(self._moment_at, self._soonest()))
        if self.now >= self._moment_at:
            self._moment_at = self.now + MOMENT
            self._befall()
            self._live()
        self._deliver()
        if self._awake("up"):
            self._note_events(self.host.tick(self.now))
            self.journal.flush(self.now, self.host.commit)
            if self.host.phase == "over":
                self._retry()
        if self._awake("down"):
            self.device.link.tick(self.now)
        self._write()

    def _soonest(self) -> float:
        """A side that sleeps has no deadline, and nothing reaches it."""
        up = min(self.host.deadline(self.now), self.lines["up"].due(), self.journal.due(), self._again_at)
        down = min(self.device.link.deadline(self.now), self.lines["down"].due())
        return min(max(up, self._asleep["up"].until), max(down, self._asleep["down"].until))

    def _deliver(self) -> None:
        for way, line in self.lines.items():
            if not self._awake(way):
                continue
            if self._asleep[way].until:
                self._wake(way)
            for came in line.take(self.now):
                before = self.audit.mark(way)
                self._feed(way, came.data)
                self.audit.judge(way, came, before)

    def _wake(self, way: str) -> None:
        """After a long sleep everything that waited comes at once, and none of it is believed."""
        slept, self._asleep[way] = self.now - self._asleep[way].since, Nap()
        if slept < LONG:
            return
        done = len(self.device.executed)
        self._feed(way, b"".join(came.data for came in self.lines[way].take(self.now)))
        served = self.device.link.installed if way == "down" else self.host.phase in SERVING
        assert not served, "what waited was read in the old session"
        assert len(self.device.executed) == done

    def _awake(self, way: str) -> bool:
        return self.now >= self._asleep[way].until

    def _feed(self, way: str, data: bytes) -> None:
        if way == "up":
            self._note_events(self.host.feed(data, self.now))
            return
        try:
            self.device.link.feed(data, self.now)
        except PowerLostError:
            self.befell["power lost in an action"] += 1
            self._reboot()

    def _write(self) -> None:
        ends: dict[str, HostLink | DeviceLink] = {"down": self.host, "up": self.device.link}
        for way, end in ends.items():
            if self._awake("up" if way == "down" else "down"):
                for run in self.lines[way].put(end.take(self.now), self.now):
                    self.attacker.record(way, run)

    def _note_events(self, news: list[LinkEvent]) -> None:
        for event in news:
            assert not isinstance(event, CardsMissing), "cards are missing"
            if isinstance(event, DeviceUp):
                self.table.met()
            if isinstance(event, DeviceRefused):
                self.befell[f"refused: {event.reason}"] += 1
            self.journal.write(event, self.now + self.random.random() * self.trouble.disk)

    def _befall(self) -> None:
        for what in self.trouble.strikes(self.random):
            self.befell[what] += 1
            _MISHAPS[what](self)
        if self._mended_at and self.now >= self._mended_at:
            self._mended_at = 0.0
            for line in self.lines.values():
                line.cut = False

    def _crash(self) -> None:
        self.table.crash()
        self.lines["up"].forget()
        self._replace()

    def _reboot(self) -> None:
        self.audit.ended("down", self.device.link._endpoint)
        self.lines["down"].forget()
        self.device.boot(self.now)
        self.audit.begun("down", self.device.link.counters)

    def _pull(self) -> None:
        self._mended_at = self.now + self.random.random() * 4
        for way in self.random.choice((("down",), ("up",), ("down", "up"))):
            self.lines[way].pull()

    def _sleep(self) -> None:
        way, seconds = self.random.choice(("down", "up")), self.random.choice((0.2, 2.0, 4.0, 20.0))
        if not self._asleep[way].until:
            self._asleep[way] = Nap(self.now, self.now + seconds)

    def _attack(self) -> None:
        way = self.random.choice(("down", "up"))
        self.lines[way].inject(*self.attacker.write(way), self.now)

    def _retry(self) -> None:
        if self._again_at == inf:
            self._again_at = self.now + self.random.random()
        if self.now >= self._again_at:
            self.journal.flush(inf, lambda _: None)
            self.lines["up"].forget()
            self._replace()

    def _replace(self) -> None:
        self.audit.ended("up", self.host._endpoint)
        self._again_at = inf
        self.table.host_again(self.now)
        self.audit.begun("up", self.host.counters)

    def _live(self) -> None:
        if self._awake("down"):
            moving = self.device.memory.moving
            play.happen(self.device, self.random, self.now)
            if self.device.memory.moving > moving:
                self.table.check_card()
        if self._awake("up") and self.host.phase == "running":
            self.table.order()
        self.audit.bounds(self.host, self.device)


_MISHAPS = {
    "host dies": World._crash,
    "device dies": lambda world: world._reboot(),
    "cable pulled": World._pull,
    "somebody sleeps": World._sleep,
    "attack": World._attack,
}
