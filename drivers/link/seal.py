"""Proofs of the handshake, the keys of a session, and the sealing of frames with ChaCha20-Poly1305.

Sections 6.1 and 7 of firmware-protocol/README.md. A session has one key and one counter for each direction.
"""

import hashlib
import hmac
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from drivers.link.frames import WireFrame
from drivers.protocol.codes import Flag, Seal, Side

KEY = 32
"""Size of a device's key and of a session's key, in bytes."""
NO_KEY = bytes(KEY)
"""The key of `seal = none`."""
_PROOF_LABELS = {Side.HOST: b"TSL/1 host proof", Side.DEVICE: b"TSL/1 device proof"}
_TO_DEVICE = b"TSL/1 host to device"
_TO_HOST = b"TSL/1 device to host"


@dataclass(frozen=True, slots=True, repr=False)
class SessionKeys:
    """One key for each direction."""

    to_device: bytes
    to_host: bytes


def seal_of(key: bytes) -> Seal:
    """Sealed for a side with a key, none for a side with an empty key."""
    return Seal.SEALED if key else Seal.NONE


def transcript(host_hello: bytes, device_hello: bytes) -> bytes:
    """The transcript T: 32 bytes over both Hello payloads as they were sent."""
    lengths = (len(payload).to_bytes(2, "little") for payload in (host_hello, device_hello))
    return hashlib.sha256(b"TSL/1" + next(lengths) + host_hello + next(lengths) + device_hello).digest()


def mac(side: Side, key: bytes, whole_transcript: bytes) -> bytes:
    """The proof of `side`: 32 bytes. An empty key stands for `seal = none`."""
    return hmac.digest(key or NO_KEY, _PROOF_LABELS[side] + whole_transcript, "sha256")


def session_keys(key: bytes, whole_transcript: bytes) -> SessionKeys:
    """The keys of the session that this handshake installs."""
    return SessionKeys(_derived(key, whole_transcript, _TO_DEVICE), _derived(key, whole_transcript, _TO_HOST))


def _derived(key: bytes, salt: bytes, says: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=KEY, salt=salt, info=says).derive(key)


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


def sealing(key: bytes, transcript: bytes, side: Side) -> Sealing | None:
    """The seal of the session that a handshake with this transcript installs; None without a key."""
    return Sealing(session_keys(key, transcript), side) if key else None
