"""An attacker on the cable, who records what passes and writes frames of every kind that the rules
mention."""

from collections import deque
from collections.abc import Callable
from random import Random

import crc32c
from cobs import cobs

from drivers.link.codec import command_message, event_message
from drivers.link.frames import WireFrame, decode, encode
from drivers.link.routes import is_handshake
from drivers.messages import Arm, CardDrawn, Permit
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Flag, RefuseReason, Side
from drivers.protocol.common_pb2 import Bye, EventCommit, Heartbeat, NoSession, Proof, Refuse

LIES = (
    (0, tsl.Frame(bye=Bye(reason=1))),
    (0, tsl.Frame(event_commit=EventCommit(number=1 << 40))),
    (0, tsl.Frame(heartbeat=Heartbeat(now_us=1, committed=1 << 40, newest=1 << 40, cards=99))),
    (1, event_message(1, 0, bytes(8), CardDrawn(1, "As"))),
    (2, command_message(1 << 40, Permit(64))),
    (2, command_message(1 << 41, Arm(1 << 40))),
)
HINTS = (
    tsl.Frame(no_session=NoSession()),
    tsl.Frame(refuse=Refuse(echo=bytes(16), reason=RefuseReason.IDENTITY, text="go away")),
    tsl.Frame(proof=Proof(side=Side.HOST, transcript=bytes(8), mac=bytes(32))),
    tsl.Frame(proof=Proof(side=Side.DEVICE, transcript=bytes(8), mac=bytes(32))),
)


class Attacker:
    """`record` what passes, then `write` a frame for a direction."""

    def __init__(self, random: Random) -> None:
        self._random = random
        past = [deque[bytes](maxlen=300) for _ in range(4)]
        self._sealed = {"down": past[0], "up": past[1]}
        self._clear = {"down": past[2], "up": past[3]}

    def record(self, way: str, run: bytes) -> None:
        frame = decode(run)
        if isinstance(frame, WireFrame):
            (self._clear if is_handshake(frame) else self._sealed)[way].append(run)

    def write(self, way: str) -> tuple[str, bytes]:
        """A kind, and the bytes between two zeros."""
        kind = self._random.choice(tuple(_KINDS))
        return kind, _KINDS[kind](self, way)

    def _pick(self, past: deque[bytes]) -> bytes:
        return self._random.choice(past) if past else self._garbage("")

    def _replayed(self, way: str) -> bytes:
        return self._pick(self._sealed[way])

    def _reflected(self, way: str) -> bytes:
        return self._pick(self._sealed["up" if way == "down" else "down"])

    def _handshake(self, way: str) -> bytes:
        return self._pick(self._clear[self._random.choice((way, "up", "down"))])

    def _forged(self, way: str) -> bytes:
        frame = decode(self._replayed(way))
        if not isinstance(frame, WireFrame):
            return self._garbage("")
        ahead = (int.from_bytes(frame.payload[:4], "little") + self._random.randrange(1, 900)) % (1 << 32)
        payload = ahead.to_bytes(4, "little") + frame.payload[4:]
        header = (frame.flags, frame.channel, frame.sequence, frame.acknowledgement, frame.credit)
        return _run(WireFrame(*header, payload))

    def _lie(self, _way: str) -> bytes:
        channel, message = self._random.choice(LIES)
        return _run(WireFrame(int(Flag.CRITICAL), channel, 0, 0, 8, message.SerializeToString()))

    def _hint(self, _way: str) -> bytes:
        return _run(WireFrame(0, 0, 0, 0, 0, self._random.choice(HINTS).SerializeToString()))

    def _other_version(self, _way: str) -> bytes:
        checked = bytes([self._random.choice((0x21, 0x01, 0xF0)), 0, 0, 0, 0, 0, 0, 0])
        return _checked(checked)

    def _wrong_length(self, _way: str) -> bytes:
        return _checked(bytes([0x11, 0, 0, 0, 0, 0, 8, self._random.randrange(1, 200)]))

    def _endless(self, _way: str) -> bytes:
        return self._nonzero(self._random.randrange(243, 900))

    def _garbage(self, _way: str) -> bytes:
        return self._nonzero(self._random.randrange(1, 60))

    def _nonzero(self, size: int) -> bytes:
        return bytes(byte or 1 for byte in self._random.randbytes(size))


def _run(frame: WireFrame) -> bytes:
    return encode(frame)[1:-1]


def _checked(decoded: bytes) -> bytes:
    run: bytes = cobs.encode(decoded + crc32c.crc32c(decoded).to_bytes(4, "little"))
    return run


_KINDS: dict[str, Callable[[Attacker, str], bytes]] = {
    "replayed": Attacker._replayed,
    "reflected": Attacker._reflected,
    "forged": Attacker._forged,
    "handshake": Attacker._handshake,
    "hint": Attacker._hint,
    "lie": Attacker._lie,
    "version": Attacker._other_version,
    "length": Attacker._wrong_length,
    "endless": Attacker._endless,
    "garbage": Attacker._garbage,
}
KINDS = tuple(_KINDS)
