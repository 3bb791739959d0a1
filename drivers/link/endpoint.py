"""One end of a link, host or device: frames, window, heartbeat and the end of a session.

`Endpoint` is a pure state machine (sections 3, 4, 6.2, 7 and 10 of firmware-protocol/README.md). Its owner
passes in the time and the bytes that arrived (`feed`), lets time-outs happen (`tick`), fetches the bytes to
write (`take`) and asks when it must call again (`deadline`). The handshake and the meaning of messages
belong to the owner: HostLink here, DeviceLink in drivers/sim/link.

A frame passes the checks of section 3 in their order. The first check that fails drops and counts it:

    COBS, length, CRC, version    Deframer
    SEALED flag, counter, tag     _frame, LinkSession.unseal
    acknowledgement               Sender.acknowledged
    channel, sequence             LinkSession.accepts
    message, direction            MessageReader

Invariants: nothing of a frame is used before the check that covers it, so without the key nobody can change
a sealed session; each dropped frame is counted once; without a session the owner gets handshakes and strays
only.

What breaks without each rule:

- `feed` is a generator, and the owner acts on each value before it asks for the next. One read can contain
  the Proof that installs a session and the first frame of that session. If the endpoint decoded both at
  once, it would drop the second frame as one without a session.
- `_check_pause` comes before the first byte. A side that did not run for 3 s ends its session and reads
  nothing that waited. Otherwise a command that is long out of date would still run: a lamp would outlive
  its lease.
- `last_received` changes only with a frame whose acknowledgement is right. NoSession is clear, so anyone
  can forge it. The host believes it only when nothing good arrived for a second.
- Five bad tags within ten seconds end the session, whatever arrives in between: an attacker who injects
  frames between good ones is noticed.
- Bye goes out on channel 0, outside the window, because the window may be the reason for the end.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

from drivers.link import codec
from drivers.link.counters import Counters
from drivers.link.frames import Deframer, Noise, WireFrame
from drivers.link.limits import Timing
from drivers.link.routes import CRITICAL, HANDSHAKE_TAGS, MessageReader, Received, is_handshake, stray_message
from drivers.link.seal import Sealing
from drivers.link.session import MICROSECONDS, NAK, WINDOWED, LinkSession, OutgoingBytes, PeerClock, Vitals
from drivers.link.window import NoRoomError
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, Flag, Side
from drivers.protocol.common_pb2 import Bye, Heartbeat

__all__ = ["Ended", "Endpoint", "NoRoomError", "Received", "Timing", "Vitals"]

SEALED = int(Flag.SEALED)
PEER = {Side.HOST: Side.DEVICE, Side.DEVICE: Side.HOST}


@dataclass(frozen=True, slots=True)
class Ended:
    """The session is over. `reason` is "bye", "heartbeat", "link", "slept", "tags" or "unsupported"."""

    reason: str
    text: str


class Endpoint:
    """One side of a link. If `sealed`, its sessions are sealed and it drops every clear frame but
    handshakes."""

    def __init__(
        self,
        side: Side,
        now: float,
        vitals: Callable[[], Vitals],
        timing: Timing | None = None,
        *,
        sealed: bool = False,
    ) -> None:
        self.timing = timing or Timing()
        self.counters = Counters()
        self.last_received = now
        """When the last good frame of a session arrived."""
        self._seal_flag = SEALED if sealed else 0
        self._vitals = vitals
        self._started = now
        self._last_run = now
        self._deframer = Deframer()
        self._reader = MessageReader(PEER[side], self.counters)
        self._out = OutgoingBytes(self.counters)
        self._session: LinkSession | None = None

    @property
    def installed(self) -> bool:
        """A session is up."""
        return self._session is not None

    @property
    def room(self) -> int:
        """How many more messages `send` accepts now."""
        return self._session.sender.room if self._session else 0

    @property
    def bulk(self) -> int:
        """Bulk messages that are queued or in flight."""
        return self._session.sender.bulk if self._session else 0

    @property
    def idle(self) -> bool:
        """Whether everything that was sent is acknowledged."""
        return self._session is None or self._session.sender.idle

    @property
    def peer(self) -> Heartbeat | None:
        """The peer's last heartbeat in this session."""
        return self._session.peer if self._session else None

    @property
    def clock(self) -> PeerClock | None:
        """The peer's clock, as measured in this session."""
        return self._session.clock if self._session else None

    @property
    def sent_us(self) -> int:
        """Our uptime in the last heartbeat of this session; 0 without one."""
        return self._session.clock.sent_us if self._session else 0

    def uptime_us(self, now: float) -> int:
        """Our uptime, as in heartbeats and events."""
        return int((now - self._started) * MICROSECONDS)

    def heartbeat_age(self, now: float) -> float | None:
        """Seconds since the peer's last heartbeat, or since the session began; None without a session."""
        return now - self._session.heartbeat_at if self._session else None

    def late(self, now: float) -> bool:
        """Whether the peer's heartbeat is overdue. That is worth a warning; the session goes on."""
        return self._session is not None and now >= self._session.late_at

    def install(self, now: float, sealing: Sealing | None = None) -> None:
        """Starts a new session. Sequences, window and heartbeat start over."""
        self._session = LinkSession(
            self._out,
            self._vitals,
            self.timing,
            self.counters,
            started=self._started,
            now=now,
            sealing=sealing,
        )
        self._last_run = self.last_received = now
        self.counters.sessions += 1

    def drop(self) -> None:
        """Forgets the session and sends nothing."""
        self._session = None

    def end(self, reason: ByeReason, text: str, now: float, *, counted: str = "") -> None:
        """Sends Bye if a session is up, and forgets the session. The end is counted as `counted`, or as
        the reason."""
        if self._session is not None:
            self._last_run = now
            bye = tsl.Frame(bye=Bye(reason=reason, text=text))
            self._session.write(0, Channel.CONTROL, 0, bye.SerializeToString())
            self.counters.count_session_end(counted or reason.name.lower())
            self.drop()

    def offer(self, credit: int) -> None:
        """Sets for how many further messages the owner has room, at first 8. Earlier promises stand."""
        if self._session:
            self._session.receiver.offer = max(0, min(credit, self.timing.window))

    def send_control(self, message: tsl.Frame) -> None:
        """Sends a message once on channel 0, before everything else. Without a session only handshakes go
        out."""
        payload = message.SerializeToString()
        if payload[0] in HANDSHAKE_TAGS:
            self._out.emit(WireFrame(0, Channel.CONTROL, 0, 0, 0, payload))
        elif self._session:
            self._session.write(0, Channel.CONTROL, 0, payload)

    def send(self, channel: Channel, message: tsl.Frame, *, critical: bool = False) -> None:
        """Queues a message for the window of channels 1 to 3. Raises NoRoomError when `room` is 0."""
        self.send_payload(channel, message.SerializeToString(), critical=critical)

    def send_payload(self, channel: Channel, payload: bytes, *, critical: bool = False) -> None:
        """Queues a serialized message of at most 209 bytes, for channels 1 to 3.

        Raises NoRoomError when `room` is 0.
        """
        if channel not in WINDOWED:
            raise ValueError(f"channel {channel}: only channels 1 to 3 have a window")
        if len(payload) > codec.LONGEST_MESSAGE:
            raise ValueError(f"message of {len(payload)} bytes: at most {codec.LONGEST_MESSAGE}")
        if self._session is None:
            raise NoRoomError("no session is up: nothing can be sent")
        self._session.sender.put(channel, CRITICAL if critical else 0, payload)

    def feed(self, data: bytes, now: float) -> Iterator[Received | Ended]:
        """Yields what the bytes contain. Act on each value before you ask for the next: a session may
        begin with the first of two frames that arrive together. Nothing happens until you iterate."""
        yield from self._check_pause(now)
        self.counters.bytes_in += len(data)
        for item in self._deframer.feed(data):
            if isinstance(item, Noise):
                self.counters.count_noise(item.reason)
                continue
            self.counters.frames_in += 1
            found = self._frame(item, now)
            if found is not None:
                yield found

    def tick(self, now: float) -> list[Ended]:
        """Lets time-outs happen."""
        ended = self._check_pause(now)
        session = self._session
        if session is None:
            return ended
        session.check_late(now)
        if now >= session.lost_at:
            return [self._close("heartbeat", f"no heartbeat for {self.timing.heartbeat_lost:g} s")]
        session.sender.tick(now)
        return [self._end_for_link(now)] if session.sender.failed else []

    def take(self, now: float) -> bytes:
        """Returns the bytes to write now."""
        if self._session is not None:
            self._session.write_due(now)
        return self._out.take()

    def deadline(self, now: float) -> float:
        """When `tick` and `take` must run at the latest. Infinite without a session."""
        return max(now, self._session.deadline()) if self._session else inf

    def _check_pause(self, now: float) -> list[Ended]:
        slept = now - self._last_run
        self._last_run = now
        if self._session is None or slept < self.timing.slept:
            return []
        text = f"did not run for {slept:.1f} s"
        self.end(ByeReason.SLEPT, text, now)
        return [Ended("slept", text)]

    def _frame(self, frame: WireFrame, now: float) -> Received | Ended | None:
        if is_handshake(frame):
            return self._reader.handshake(frame)
        if frame.flags & SEALED != self._seal_flag:
            self.counters.seal += 1
            return None
        if self._session is None:
            self.counters.stray += 1
            return stray_message(frame)
        opened = self._session.unseal(frame, now)
        if opened is None:
            return self._end_for_bad_tags(now) if self._session.too_many_bad_tags(now) else None
        return self._in_session(self._session, opened, now)

    def _end_for_bad_tags(self, now: float) -> Ended:
        text = f"{self.timing.bad_tags} bad tags in {self.timing.bad_tags_within:g} s"
        self.end(ByeReason.TAGS, text, now)
        return Ended("tags", text)

    def _in_session(self, session: LinkSession, frame: WireFrame, now: float) -> Received | Ended | None:
        if not session.sender.acknowledged(frame.acknowledgement, frame.credit, now):
            self.counters.acknowledgement += 1
            return None
        self.last_received = now
        if not session.accepts(frame.channel, frame.sequence, now):
            return None
        if not frame.payload and frame.channel == Channel.CONTROL:
            return self._empty(session, frame, now)
        received = self._reader.message(frame)
        return self._handle(session, received, now) if received else None

    def _empty(self, session: LinkSession, frame: WireFrame, now: float) -> Ended | None:
        if not frame.flags & NAK:
            return None
        self.counters.naks_in += 1
        session.sender.nak(now)
        return self._end_for_link(now) if session.sender.failed else None

    def _handle(self, session: LinkSession, received: Received, now: float) -> Received | Ended:
        message = received.message
        if isinstance(message, Heartbeat):
            session.receive_heartbeat(message, now)
        elif isinstance(message, Bye):
            return self._close("bye", f"{_bye_word(message.reason)}: {message.text}")
        elif not received.name and received.critical and received.channel == Channel.CONTROL:
            text = "a critical control message could not be read"
            self.end(ByeReason.UNSUPPORTED, text, now)
            return Ended("unsupported", text)
        return received

    def _end_for_link(self, now: float) -> Ended:
        text = f"a frame was sent {self.timing.most_sends} times in vain"
        self.end(ByeReason.LINK, text, now)
        return Ended("link", text)

    def _close(self, reason: str, text: str) -> Ended:
        self.counters.count_session_end(reason)
        self.drop()
        return Ended(reason, text)


def _bye_word(reason: int) -> str:
    return ByeReason(reason).name if reason in ByeReason.__members__.values() else f"reason {reason}"
