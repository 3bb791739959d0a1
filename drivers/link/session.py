"""What lives as long as one session: both windows, heartbeats, the peer's clock, the seal and the bad tags.

The endpoint makes a new `LinkSession` for each session, so nothing of an older one can leak into it. Every
frame that leaves is written here, because each one carries the acknowledgement and the credit of the moment
and, if the session is sealed, a fresh counter.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from drivers.link.counters import Counters
from drivers.link.frames import WireFrame, encode
from drivers.link.limits import Timing
from drivers.link.seal import OVERHEAD, BadTag, Replay, Sealing
from drivers.link.window import Receiver, Sender
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag
from drivers.protocol.common_pb2 import Heartbeat

MICROSECONDS = 1_000_000


class PeerClock:
    """Measures the peer's clock from heartbeats (section 10 of firmware-protocol/README.md).

    Each heartbeat has its sender's uptime, the peer's last uptime and the time since that one arrived. The
    shortest round trip leaves the least room for error, so its offset is kept.
    """

    def __init__(self) -> None:
        self.offset_us: int | None = None
        """What to add to our uptime to get the peer's. None before the first measurement."""
        self.round_trip_us: int | None = None
        """The round trip that gave the offset."""
        self.last_round_trip_us = 0
        self.sent_us = 0
        """The uptime in our last heartbeat."""
        self._peer_us = 0
        self._received_us = 0

    def stamp(self, heartbeat: Heartbeat, now_us: int) -> None:
        """Fills in the times of a heartbeat that goes out now."""
        heartbeat.now_us = self.sent_us = now_us
        if self._peer_us:
            heartbeat.echo_us = self._peer_us
            heartbeat.held_us = now_us - self._received_us

    def measure(self, heartbeat: Heartbeat, now_us: int) -> None:
        """Takes a heartbeat that arrived now."""
        self._peer_us, self._received_us = heartbeat.now_us, now_us
        round_trip = now_us - heartbeat.echo_us - heartbeat.held_us
        if not heartbeat.echo_us or round_trip < 0:
            return
        self.last_round_trip_us = round_trip
        if self.round_trip_us is None or round_trip < self.round_trip_us:
            self.round_trip_us = round_trip
            self.offset_us = heartbeat.now_us - (now_us - round_trip // 2)


NAK = int(Flag.NAK)
WINDOWED = (Channel.EVENTS, Channel.COMMANDS, Channel.BULK)
"""The channels that share the window."""


@dataclass(frozen=True, slots=True)
class Vitals:
    """The owner's part of a heartbeat. No heartbeat goes out while `alive` is False."""

    committed: int = 0
    newest: int = 0
    free: int = 0
    armed: bool = False
    mode: int = 0
    celsius: int = 0
    errors: int = 0
    cards: int = 0
    alive: bool = True


class OutgoingBytes:
    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._out = bytearray()

    def emit(self, frame: WireFrame) -> None:
        encoded = encode(frame)
        self._out += encoded
        self._counters.frames_out += 1
        self._counters.bytes_out += len(encoded)

    def take(self) -> bytes:
        """Returns what was emitted since the last call."""
        out = bytes(self._out)
        self._out.clear()
        return out


class LinkSession:
    """One session of one endpoint, from its start. `started` is when the endpoint's uptime began. Without
    `sealing` the session is clear."""

    def __init__(
        self,
        out: OutgoingBytes,
        vitals: Callable[[], Vitals],
        timing: Timing,
        counters: Counters,
        *,
        started: float,
        now: float,
        sealing: Sealing | None,
    ) -> None:
        self.sender = Sender(timing, counters, OVERHEAD if sealing else 0)
        self.receiver = Receiver(timing, counters)
        self.clock = PeerClock()
        self.peer: Heartbeat | None = None
        self.heartbeat_at = now
        self._warned = False
        self._next_heartbeat = now
        self._out = out
        self._vitals = vitals
        self._timing = timing
        self._counters = counters
        self._started = started
        self._sealing = sealing
        self._bad_tags: deque[float] = deque(maxlen=timing.bad_tags)

    @property
    def lost_at(self) -> float:
        """When the session is lost for want of a heartbeat."""
        return self.heartbeat_at + self._timing.heartbeat_lost

    @property
    def late_at(self) -> float:
        """When the peer's heartbeat is overdue."""
        return self.heartbeat_at + self._timing.heartbeat_warning

    def deadline(self) -> float:
        """When `write_due` or the endpoint's `tick` has something to do."""
        silence = self.lost_at if self._warned else self.late_at
        return min(self._next_heartbeat, silence, self.sender.deadline(), self.receiver.deadline())

    def check_late(self, now: float) -> None:
        """Counts an overdue heartbeat, once."""
        if now >= self.late_at and not self._warned:
            self._warned = True
            self._counters.late_heartbeats += 1

    def unseal(self, frame: WireFrame, now: float) -> WireFrame | None:
        """Returns the frame with its message in clear. Counts a replay or a bad tag and returns None."""
        if self._sealing is None:
            return frame
        found = self._sealing.open(frame)
        if isinstance(found, WireFrame):
            return found
        self._counters.replays += isinstance(found, Replay)
        if isinstance(found, BadTag):
            self._counters.tag += 1
            self._bad_tags.append(now)
        return None

    def too_many_bad_tags(self, now: float) -> bool:
        """Whether the bad tags must end the session. Good frames in between do not reset the count."""
        tags, timing = self._bad_tags, self._timing
        return len(tags) == timing.bad_tags and now - tags[0] <= timing.bad_tags_within

    def accepts(self, channel: int, sequence: int, now: float) -> bool:
        """Checks channel and sequence (checks 9 and 10 of section 3) and counts what fails."""
        if channel in WINDOWED:
            return self.receiver.take(sequence, now)
        if channel > Channel.TELEMETRY:
            self._counters.channel += 1
            return False
        if sequence:
            self._counters.sequence += 1
        return not sequence

    def receive_heartbeat(self, heartbeat: Heartbeat, now: float) -> None:
        self.peer, self.heartbeat_at, self._warned = heartbeat, now, False
        self.clock.measure(heartbeat, self._uptime_us(now))
        self._counters.round_trip_us = self.clock.last_round_trip_us

    def write_due(self, now: float) -> None:
        """Writes everything that is due, channel 0 first."""
        if now >= self._next_heartbeat:
            self._heartbeat(now)
        if self.receiver.nak_due:
            self.receiver.nak_due = False
            self._counters.naks_out += 1
            self.write(NAK, Channel.CONTROL, 0, b"")
        for flight in self.sender.due(now):
            self.write(flight.flags, flight.channel, flight.sequence, flight.payload)
        if now >= self.receiver.deadline():
            self.write(0, Channel.CONTROL, 0, b"")

    def write(self, flags: int, channel: int, sequence: int, payload: bytes) -> None:
        receiver = self.receiver
        frame = WireFrame(flags, channel, sequence, receiver.expected, receiver.credit, payload)
        self._out.emit(self._sealing.seal(frame) if self._sealing else frame)
        receiver.acknowledgement_sent()

    def _uptime_us(self, now: float) -> int:
        return int((now - self._started) * MICROSECONDS)

    def _heartbeat(self, now: float) -> None:
        self._next_heartbeat = self._timing.next_heartbeat(now)
        vitals = self._vitals()
        if not vitals.alive:
            return
        beat = Heartbeat(
            committed=vitals.committed,
            newest=vitals.newest,
            free=vitals.free,
            armed=vitals.armed,
            mode=vitals.mode,
            celsius=vitals.celsius,
            errors=vitals.errors,
            cards=vitals.cards,
        )
        self.clock.stamp(beat, self._uptime_us(now))
        self.write(0, Channel.CONTROL, 0, tsl.Frame(heartbeat=beat).SerializeToString())
