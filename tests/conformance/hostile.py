"""A host that speaks the protocol well enough to get far, and then breaks its rules."""

from collections import deque
from dataclasses import replace
from random import Random
from typing import Any

from drivers.link import codec
from drivers.link.frames import Deframer, WireFrame, encode
from drivers.link.key_schedule import agreement, host_mac, seal_of, share_of, shared_secret, transcript
from drivers.link.seal import Sealing
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, Channel, Flag, Side

WINDOWED = (Channel.EVENTS, Channel.COMMANDS, Channel.BULK)
KEPT = 64
"""The number of frames kept for replays."""


class HostileHost:
    """`take` gets everything that the device writes; the other methods send something and return its
    bytes."""

    def __init__(self, key: bytes, chance: Random) -> None:
        self.newest = 0
        self.in_session = False
        """As far as the host knows."""
        self.deaf = chance.random() < 0.15
        """It acknowledges nothing."""
        self.history: deque[bytes] = deque(maxlen=KEPT)
        self.wanted: deque[int] = deque(maxlen=KEPT)
        """Offsets of blocks that the device asked for."""
        self._key = key
        self._chance = chance
        self._deframer = Deframer()
        self._sealing: Sealing | None = None
        self._hello = b""
        self._device_hello = b""
        self._secret = self._share = b""
        self._unacknowledged: dict[int, tuple[int, int, bytes]] = {}
        self._next = 0
        self._expected = 0

    @property
    def ready(self) -> bool:
        """The device answered our Hello."""
        return bool(self._hello and self._device_hello)

    def take(self, data: bytes) -> None:
        """Bytes that the device wrote."""
        for frame in self._deframer.feed(data):
            if isinstance(frame, WireFrame):
                self._heard(frame)

    def hello(self, **changes: Any) -> bytes:
        """Step 1 of the handshake, with a fresh nonce."""
        stated: dict[str, Any] = {
            "side": Side.HOST,
            "major": MAJOR,
            "minor": MINOR,
            "schema": SCHEMA,
            "seal": seal_of(self._key),
            "nonce": self._chance.randbytes(16),
        }
        frame = tsl.Frame(hello=common.Hello(**{**stated, **changes}))
        self._hello, self._device_hello = frame.SerializeToString(), b""
        self._secret = self._share = b""
        return self.clear(self._hello)

    def proof(self, *, good: bool = True, side: Side = Side.HOST) -> bytes:
        """Step 3 of the handshake; its share may be absent, too much, or of small order."""
        whole = transcript(self._hello, self._device_hello)
        share = self._chance.choice((self._own_share(),) * 12 + (b"", bytes(32), b"\1" * 32))
        own = host_mac(self._key, whole, share)
        proof = common.Proof(side=side, transcript=whole[:8], mac=own if good else own[::-1], share=share)
        return self.clear(tsl.Frame(proof=proof).SerializeToString())

    def _own_share(self) -> bytes:
        """The share of this handshake; none where nothing is sealed."""
        if self._key and not self._share:
            self._secret = self._chance.randbytes(32)
            self._share = share_of(self._secret)
        return self._share

    def clear(self, payload: bytes, **header: int) -> bytes:
        """A handshake frame."""
        return self._kept(encode(WireFrame(**_header(0, Channel.CONTROL) | header, payload=payload)))

    def say(self, payload: bytes, channel: int = Channel.CONTROL, flags: int = 0, **header: int) -> bytes:
        """A frame of the session; `header` overrides the right header."""
        sequence = self._next if channel in WINDOWED else 0
        if channel in WINDOWED and "sequence" not in header:
            self._unacknowledged[sequence] = (channel, flags, payload)
            self._next = (self._next + 1) % 65536
        stated = _header(flags, channel) | {
            "sequence": sequence,
            "acknowledgement": self._expected,
            "credit": 8,
        }
        return self._kept(encode(self._sealed(WireFrame(**stated | header, payload=payload))))

    def again(self) -> bytes:
        """Everything unacknowledged, once more."""
        return b"".join(
            self.say(payload, channel, flags | Flag.RETRANSMIT, sequence=sequence)
            for sequence, (channel, flags, payload) in self._unacknowledged.items()
        )

    def skip_counters(self, count: int) -> None:
        """As if this many sealed frames got lost."""
        if self._sealing:
            for _ in range(count):
                self._sealing.seal(WireFrame(0, 0, 0, 0, 0, b""))

    def forged(self, payload: bytes) -> bytes:
        """A frame with a wrong tag, or sealed or clear where it should not be."""
        whole = self._sealed(WireFrame(0, Channel.CONTROL, 0, self._expected, 8, payload))
        if not self._sealing or self._chance.random() < 0.3:
            return self._kept(encode(replace(whole, flags=whole.flags ^ Flag.SEALED)))
        damaged = bytearray(whole.payload)
        damaged[self._chance.randrange(len(damaged))] ^= 1 << self._chance.randrange(8)
        return self._kept(encode(replace(whole, payload=bytes(damaged))))

    def _sealed(self, frame: WireFrame) -> WireFrame:
        return self._sealing.seal(frame) if self._sealing else frame

    def _kept(self, wire: bytes) -> bytes:
        self.history.append(wire)
        return wire

    def _heard(self, frame: WireFrame) -> None:
        if not frame.flags & Flag.SEALED and frame.payload[:1] in (b"\x0a", b"\x12", b"\x22"):
            self._greeted(frame.payload)
            return
        opened = self._sealing.open(frame) if self._sealing and frame.flags & Flag.SEALED else frame
        if isinstance(opened, WireFrame):
            self._in_session(opened)

    def _greeted(self, payload: bytes) -> None:
        if payload[0] == 0x0A:
            self._device_hello = payload
        elif payload[0] == 0x22:
            self.in_session = False
        elif self._hello and self._device_hello:
            self.in_session = True
            self._sealing = self._agreed(payload)
            self._unacknowledged.clear()
            self._next = self._expected = 0

    def _agreed(self, payload: bytes) -> Sealing | None:
        """The seal of the session that the device's Proof begins."""
        peer = tsl.Frame.FromString(payload).proof.share
        if not (self._key and self._secret and peer):
            return None
        whole = transcript(self._hello, self._device_hello)
        shared = shared_secret(self._secret, peer)
        return Sealing(agreement(self._key, whole, self._share, peer, shared).keys, Side.HOST)

    def _in_session(self, frame: WireFrame) -> None:
        ahead = (self._next - frame.acknowledgement) % 65536
        for sequence in list(self._unacknowledged):
            if (self._next - sequence - 1) % 65536 >= ahead:
                del self._unacknowledged[sequence]
        if frame.channel in WINDOWED and frame.sequence == self._expected and not self.deaf:
            self._expected = (self._expected + 1) % 65536
        read = codec.parse(frame.payload)
        if isinstance(read, codec.Unreadable):
            return
        if isinstance(read[1], common.Heartbeat):
            self.newest = read[1].newest
        if isinstance(read[1], common.BlockWanted):
            self.wanted.append(read[1].offset)
        if isinstance(read[1], common.Bye):
            self.in_session = False


def _header(flags: int, channel: int) -> dict[str, int]:
    return {"flags": flags, "channel": channel, "sequence": 0, "acknowledgement": 0, "credit": 0}
