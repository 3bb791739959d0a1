"""What one side of a link sends: its frames, opened with the keys that the vector states."""

from collections.abc import Iterator
from dataclasses import replace

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from drivers.link.frames import Deframer, WireFrame
from drivers.protocol.codes import Channel, Flag

from .vectors import Vector

SPEAKS = {"host": "to_device", "device": "to_host"}
LOW = 4


class Ear:
    """Reads one side. Once a session's keys are known, everything but handshakes must be sealed with them,
    each frame under a counter above the one before, the first under 0."""

    def __init__(self, side: str, keys: Vector | None) -> None:
        self._side = side
        self._deframer = Deframer()
        self._cipher: ChaCha20Poly1305 | None = None
        self._last = -1
        if keys:
            self.install(keys)

    def install(self, keys: Vector) -> None:
        """A session begins."""
        self._cipher = ChaCha20Poly1305(bytes.fromhex(keys[SPEAKS[self._side]]))
        self._last = -1

    def hear(self, data: bytes) -> Iterator[WireFrame]:
        """The frames in these bytes, without SEALED."""
        for item in self._deframer.feed(data):
            assert isinstance(item, WireFrame)
            yield self._opened(self._cipher, item) if item.flags & Flag.SEALED else self._clear(item)

    def _clear(self, frame: WireFrame) -> WireFrame:
        assert self._cipher is None or _handshake(frame)
        return frame

    def _opened(self, cipher: ChaCha20Poly1305 | None, frame: WireFrame) -> WireFrame:
        assert cipher
        low, sealed = frame.payload[:LOW], frame.payload[LOW:]
        counter = int.from_bytes(low, "little")
        assert counter > self._last if self._last >= 0 else counter == 0
        message = cipher.decrypt(bytes(LOW) + low + bytes(LOW), sealed, frame.header)
        self._last = counter
        return replace(frame, flags=frame.flags & ~Flag.SEALED, payload=message)


def _handshake(frame: WireFrame) -> bool:
    """Hello, Proof, Refuse or NoSession: fields 1 to 4 of a Frame."""
    return frame.channel == Channel.CONTROL and frame.payload[:1] in {b"\x0a", b"\x12", b"\x1a", b"\x22"}
