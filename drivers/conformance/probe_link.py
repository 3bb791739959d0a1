"""The probe's end of the line: it writes any bytes, reads what comes, and does a host's duties
(heartbeats, acknowledgements) unless a check turns them off. It enforces no rule, so that a check can
break any."""

from collections.abc import Callable
from dataclasses import dataclass, field

from drivers.conformance.subject import DeviceUnderTest
from drivers.conformance.trace import Trace, TraceEntry
from drivers.conformance.wire import Wire
from drivers.link import codec
from drivers.link.frames import SEQUENCES, Deframer, Noise, WireFrame, encode
from drivers.link.key_schedule import Agreement
from drivers.link.routes import is_handshake
from drivers.link.seal import BadTag, Replay, Sealing
from drivers.link.session import MICROSECONDS, WINDOWED
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag, Side

BEAT = 0.5
FULL = 8


@dataclass(slots=True)
class Duties:
    """What the probe does by itself. A check that misbehaves turns something off."""

    beats: bool = True
    acknowledges: bool = True
    credit: int = FULL
    committed: int = 0


@dataclass(slots=True)
class ProbeSession:
    """One session. `sequence`: the probe's next; `expected`: the device's next; `acknowledged`: what the
    probe tells the device; `limit`: the first sequence for which the device has no room."""

    number: int
    seal: Sealing | None
    since: float
    sequence: int = 0
    expected: int = 0
    acknowledged: int = 0
    limit: int = 1
    frames: int = 0
    beat_at: float = 0.0
    peer_us: int = 0
    peer_at: float = 0.0
    owes: bool = False
    over: bool = False


@dataclass(slots=True)
class ProbeLink:
    """One device on one wire. `installs` is called with each Proof that comes and returns what was agreed on
    for the session that it begins."""

    wire: Wire
    subject: DeviceUnderTest
    installs: Callable[[common.Proof], Agreement | None]
    duties: Duties = field(default_factory=Duties)
    trace: Trace = field(default_factory=Trace)
    session: ProbeSession | None = None
    single_zeros: int = 0
    """How often a single zero separated two frames of the device."""
    _deframer: Deframer = field(default_factory=Deframer)
    _sessions: int = 0
    _tail: bytes = b""

    def frame(
        self,
        payload: bytes,
        channel: int = Channel.CONTROL,
        *,
        flags: int = 0,
        sequence: int = 0,
        acknowledgement: int | None = None,
        credit: int | None = None,
    ) -> WireFrame:
        """A clear frame of the session with the current header fields."""
        known = self.session.acknowledged if self.session else 0
        return WireFrame(
            flags,
            channel,
            sequence,
            known if acknowledgement is None else acknowledgement,
            self.duties.credit if credit is None else credit,
            payload,
        )

    def sealed(self, clear: WireFrame) -> WireFrame:
        """The frame as it goes out in this session. Uses up a counter."""
        seal = self.session.seal if self.session else None
        return seal.seal(clear) if seal else clear

    def send(self, clear: WireFrame, note: str = "", *, duty: bool = False) -> WireFrame:
        """Sends a frame of the session. Returns the frame on the line."""
        return self.put(self.sealed(clear), clear, note, duty=duty)

    def put(self, frame: WireFrame, clear: WireFrame, note: str = "", *, duty: bool = False) -> WireFrame:
        """Sends exactly this frame; `clear` is what it says."""
        self.wire.write(encode(frame))
        entry = self._entry(frame, ours=True, duty=duty)
        entry.clear, entry.note = clear, note
        _read(entry)
        return frame

    def raw(self, data: bytes, note: str) -> None:
        self.wire.write(data)
        self._entry(data, ours=True).note = note

    def handshake(self, payload: bytes, note: str = "") -> None:
        frame = WireFrame(0, Channel.CONTROL, 0, 0, 0, payload)
        self.put(frame, frame, note)

    def beat(self) -> None:
        now, session = self.wire.now(), self.session
        if session is None:
            return
        beat = common.Heartbeat(now_us=self.uptime_us(now), committed=self.duties.committed)
        if session.peer_at:
            beat.echo_us, beat.held_us = session.peer_us, int((now - session.peer_at) * MICROSECONDS)
        session.beat_at = now + BEAT
        self.send(self.frame(tsl.Frame(heartbeat=beat).SerializeToString()), duty=True)

    def uptime_us(self, now: float) -> int:
        return int(now * MICROSECONDS)

    def forget(self) -> None:
        """Sends nothing more in this session."""
        self.session = None

    async def wait(self, until: float) -> None:
        """Waits for bytes or until `until`, and does what is due meanwhile."""
        session = self.session
        if session and not session.over and self.duties.beats:
            until = min(until, session.beat_at)
        data = await self.wire.read(until)
        now = self.wire.now()
        self._count_zeros(data)
        for item in self._deframer.feed(data):
            self._receive(item, now)
        self._do_duties(now)

    def _entry(self, item: WireFrame | Noise | bytes, *, ours: bool, duty: bool = False) -> TraceEntry:
        number = self.session.number if self.session else 0
        return self.trace.add(TraceEntry(self.wire.now(), ours, item, session=number, duty=duty))

    def _count_zeros(self, data: bytes) -> None:
        stream = self._tail + data
        self.single_zeros += sum(
            stream[place] == 0 and stream[place - 1] != 0 and stream[place + 1] != 0
            for place in range(1, len(stream) - 1)
        )
        self._tail = stream[-2:]

    def _receive(self, item: WireFrame | Noise, now: float) -> None:
        entry = self._entry(item, ours=False)
        entry.at = now
        if isinstance(item, Noise):
            entry.session = 0
            return
        if is_handshake(item):
            entry.clear, entry.session = item, 0
            _read(entry)
            self._on_handshake(entry, now)
        elif self.session is None or self.session.over:
            entry.session, entry.note = 0, "no session is open"
        else:
            self._open(entry, item, self.session)
            _read(entry)
            self._handle(entry, self.session, now)

    def _open(self, entry: TraceEntry, item: WireFrame, session: ProbeSession) -> None:
        session.frames += 1
        entry.nth = session.frames
        sealed = bool(item.flags & Flag.SEALED)
        if sealed != (session.seal is not None):
            entry.note = "it is sealed, the session is not" if sealed else "clear in a sealed session"
            return
        opened = session.seal.open(item) if session.seal else item
        if isinstance(opened, WireFrame):
            entry.clear = opened
        else:
            entry.note = _SEAL_FAULTS[type(opened)]

    def _on_handshake(self, entry: TraceEntry, now: float) -> None:
        if not isinstance(entry.message, common.Proof):
            return
        agreed = self.installs(entry.message)
        if agreed:
            self._sessions += 1
            seal = Sealing(agreed.keys, Side.HOST) if self.subject.key else None
            self.session = ProbeSession(self._sessions, seal, now)
            self.beat()

    def _handle(self, entry: TraceEntry, session: ProbeSession, now: float) -> None:
        clear, message = entry.clear, entry.message
        if clear is None:
            return
        session.limit = (clear.acknowledgement + clear.credit) % SEQUENCES
        if clear.channel in WINDOWED:
            entry.repeat = not self._received(clear, session)
        elif isinstance(message, common.Heartbeat):
            session.peer_us, session.peer_at = message.now_us, now
        elif isinstance(message, common.Bye):
            session.over = True

    def _received(self, frame: WireFrame, session: ProbeSession) -> bool:
        expected = frame.sequence == session.expected
        if expected:
            session.expected = (session.expected + 1) % SEQUENCES
        if self.duties.acknowledges:
            session.acknowledged = session.expected
            session.owes = True
        return expected

    def _do_duties(self, now: float) -> None:
        session = self.session
        if session is None or session.over:
            return
        if self.duties.beats and now >= session.beat_at:
            self.beat()
            session.owes = False
        if session.owes:
            session.owes = False
            self.send(self.frame(b""), duty=True)


_SEAL_FAULTS = {Replay: "its counter is not above the last one", BadTag: "its tag is wrong"}


def _read(entry: TraceEntry) -> None:
    """Puts the message into the entry, or a note that says why there is none."""
    if entry.clear is None or not entry.payload:
        return
    read = codec.parse(entry.payload)
    if isinstance(read, codec.Unreadable):
        entry.note = entry.note or read.reason
        return
    entry.name, entry.message = read
