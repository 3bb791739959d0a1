"""Both real ends of a sealed link; a tape decides what happens between them."""

import random
from collections import Counter, deque
from collections.abc import Iterable

from drivers.link.counters import Counters
from drivers.link.facts import Bookmark, Expected
from drivers.link.frames import Deframer, Noise, WireFrame, encode
from drivers.link.host import HostLink
from drivers.link.reports import DeviceEvent, EventsMissing, LinkEvent
from drivers.link.window import QUEUE
from drivers.protocol.codes import DeviceClass
from tests.drivers.link.rig import KEY, Rig

START = 1000.0
SHORTEST = 0.001
MOST_KEPT = 64
"""Frames of a conversation that can be replayed."""
Way = str
"""down, to the device, or up, to the host."""
CHECKS = (
    "seal",
    "tag",
    "replays",
    "acknowledgement",
    "channel",
    "sequence",
    "credit",
    "direction",
    "message",
    "unknown",
    "handshake",
    "duplicates",
    "out_of_order",
    "stray",
    "cobs",
    "length",
    "crc",
    "version",
    "too_long",
    "commit",
    "repeats",
    "unasked",
)
"""The counters of frames that are not used."""


class Ends:
    """`waiting`: frames on their way; `past`: earlier ones, each with its direction. Everything is
    reproducible."""

    def __init__(self) -> None:
        self.now = START
        self.rig = Rig(START, seed=7, capacity=100)
        self._random = random.Random(11)
        self.waiting: dict[Way, deque[bytes]] = {"down": deque(), "up": deque()}
        self.past: deque[tuple[Way, bytes]] = deque(maxlen=MOST_KEPT)
        self.host_events: list[LinkEvent] = []
        self.ran = 0
        """Frames and noise that were fed to the ends."""
        self.newest = 0
        self._counted: dict[Way, Counter[str]] = {"down": Counter(), "up": Counter()}
        self._log = b""
        self.host = self._host()
        self._collect()

    def host_again(self) -> None:
        """Another attempt, with what the journal has."""
        self._counted["up"].update(_counts(self.host.counters))
        self.host = self._host()
        self._collect()

    def reboot(self) -> None:
        """The device restarts on its memory."""
        self._counted["down"].update(_counts(self.rig.link.counters))
        self.rig.boot(self.now)
        self._collect()

    def give(self, way: Way, line: bytes) -> None:
        """Feeds whole frames to an end, so that their number is known."""
        line = b"\0" + line + b"\0"
        self.ran += sum(bool(run) for run in line.split(b"\0"))
        if way == "down":
            self.rig.feed(line, self.now)
        else:
            self._note(self.host.feed(line, self.now))
        self._collect()

    def wait(self, seconds: float) -> None:
        """Time passes for both."""
        self.now += seconds
        self.rig.tick(self.now)
        self._note(self.host.tick(self.now))
        self._collect()

    def settle(self, seconds: float) -> None:
        """A good cable for this long."""
        until = self.now + seconds
        while True:
            self._deliver()
            due = min(self.host.deadline(self.now), self.rig.deadline(self.now))
            if self.host.phase == "over":
                return
            self.wait(max(min(due, until) - self.now, SHORTEST))
            if due > until:
                return

    def counted(self, *ways: Way) -> Counter[str]:
        """The counts of the ends of these directions."""
        now = {"down": self.rig.link.counters, "up": self.host.counters}
        return sum((self._counted[way] + _counts(now[way]) for way in ways or now), Counter())

    def check(self) -> None:
        """What always holds."""
        counted = self.counted()
        assert self.counted("up")["sessions"] <= self.counted("down")["sessions"], "a session with nobody"
        noise = sum(counted[word] for word in ("cobs", "length", "crc", "version", "too_long"))
        assert counted["frames_in"] + noise == self.ran, "a frame came that nobody counted"
        assert sum(counted[word] for word in CHECKS) <= self.ran, "a frame failed two checks"
        for endpoint in (self.host._endpoint, self.rig.link._endpoint):
            assert endpoint._session is None or 0 <= endpoint._session.sender.room <= QUEUE
            assert endpoint._deframer.pending_size == 0
        assert not self.host._events, "news that nobody was told"

    def said(self) -> str:
        """A sentence about the state."""
        counted = self.counted()
        checks = ", ".join(f"{word} {counted[word]}" for word in CHECKS if counted[word])
        end = self.host_events[-1] if self.host_events else None
        last = f" ({getattr(end, 'reason', '') or type(end).__name__})" if end else ""
        served = "in session" if self.rig.link.installed else "without session"
        return f"host {self.host.phase}{last}, device {served}; {checks or 'no check failed'}"

    def _deliver(self) -> None:
        while any(self.waiting.values()):
            for way, frames in self.waiting.items():
                while frames:
                    self.give(way, frames.popleft())

    def _host(self) -> HostLink:
        return HostLink(
            Expected(DeviceClass.SHOE, "SH-1"),
            Bookmark(self._log, self.newest),
            self._random.randbytes,
            self.now,
            lambda: True,
            key=KEY,
        )

    def _note(self, news: Iterable[LinkEvent]) -> None:
        for each in news:
            self.host_events.append(each)
            if isinstance(each, DeviceEvent | EventsMissing):
                first, last = _span(each)
                assert first == (self.newest if each.log == self._log else 0) + 1, (
                    "an event came twice or never"
                )
                self.newest, self._log = last, each.log
                self.host.commit(last)

    def _collect(self) -> None:
        for way, line in (("down", self.host.take(self.now)), ("up", self.rig.take(self.now))):
            for run in filter(None, line.split(b"\0")):
                self.waiting[way].append(run)
                self.past.append((way, run))
            while len(self.waiting[way]) > MOST_KEPT:
                self.waiting[way].popleft()


def _span(event: DeviceEvent | EventsMissing) -> tuple[int, int]:
    return (event.number, event.number) if isinstance(event, DeviceEvent) else (event.first, event.last)


def frame_of(run: bytes) -> WireFrame | Noise:
    """The frame in a run."""
    return Deframer().feed(run + b"\0")[0]


def changed(run: bytes, place: int, bits: int) -> bytes:
    """The frame with one byte of its payload changed, under a right checksum."""
    frame = frame_of(run)
    if isinstance(frame, Noise) or not frame.payload:
        return run
    payload = bytearray(frame.payload)
    payload[place % len(payload)] ^= bits
    header = (frame.flags, frame.channel, frame.sequence, frame.acknowledgement, frame.credit)
    return encode(WireFrame(*header, bytes(payload)))


def _counts(counters: Counters) -> Counter[str]:
    return Counter({name: getattr(counters, name) for name in ("frames_in", "sessions", *CHECKS)})
