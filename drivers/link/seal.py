"""The sealing of frames with ChaCha20-Poly1305.

Section 7 of firmware-protocol/README.md. A session has one key and one counter for each direction.
"""

from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from drivers.link.frames import WireFrame
from drivers.link.key_schedule import SessionKeys
from drivers.protocol.codes import Flag, Side

LOW = 4
"""How many bytes of the counter travel with a frame."""
TAG = 16
OVERHEAD = LOW + TAG
"""How many bytes sealing adds to a message."""
LAPS = 1 << 8 * LOW
SEALED = int(Flag.SEALED)
_ZEROS = bytes(4)


@dataclass(frozen=True, slots=True)
class Replay:
    """The counter is not above the last good one."""


@dataclass(frozen=True, slots=True)
class BadTag:
    """The frame was not sealed with this key and header, or it is damaged."""


class Sealer:
    """Seals the frames of one side. Each call uses a new counter, so the same message sealed twice
    differs."""

    def __init__(self, key: bytes, counter: int = 0) -> None:
        self._cipher = ChaCha20Poly1305(key)
        self._counter = counter

    def seal(self, header: bytes, message: bytes) -> bytes:
        """The payload for this header of 8 bytes: low bytes of the counter, ciphertext, tag."""
        counter = self._counter.to_bytes(8, "little")
        self._counter += 1
        return counter[:LOW] + self._cipher.encrypt(_ZEROS + counter, message, header)


class Opener:
    """Opens the frames of the other side. `last` is the counter of the last good frame, -1 before the
    first."""

    def __init__(self, key: bytes, last: int = -1) -> None:
        self._cipher = ChaCha20Poly1305(key)
        self.last = last

    def open(self, header: bytes, payload: bytes) -> bytes | Replay | BadTag:
        """The message of a payload that came with this header of 8 bytes."""
        if len(payload) < OVERHEAD:
            return BadTag()
        ahead = (int.from_bytes(payload[:LOW], "little") - self.last) % LAPS
        if not 0 < ahead < LAPS // 2:
            return Replay()
        counter = self.last + ahead
        nonce = _ZEROS + counter.to_bytes(8, "little")
        try:
            message = self._cipher.decrypt(nonce, payload[LOW:], header)
        except InvalidTag:
            return BadTag()
        self.last = counter
        return message


class Sealing:
    """Both directions of a session, seen from one side."""

    def __init__(self, keys: SessionKeys, side: Side) -> None:
        out, back = (keys.to_device, keys.to_host) if side is Side.HOST else (keys.to_host, keys.to_device)
        self._sealer, self._opener = Sealer(out), Opener(back)

    def seal(self, frame: WireFrame) -> WireFrame:
        flags = frame.flags | SEALED
        header = frame.header_with(flags, OVERHEAD + len(frame.payload))
        return frame.with_payload(flags, self._sealer.seal(header, frame.payload))

    def open(self, frame: WireFrame) -> WireFrame | Replay | BadTag:
        found = self._opener.open(frame.header, frame.payload)
        return frame.with_payload(frame.flags, found) if isinstance(found, bytes) else found
