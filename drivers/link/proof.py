"""What both sides of a handshake prove, that they saw the same two Hellos and know the same key, and the keys
of the session that follows. Sections 6.1 and 7 of firmware-protocol/README.md."""

import hashlib
import hmac
from dataclasses import dataclass

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from drivers.protocol.codes import Seal, Side

KEY = 32
"""Bytes of a device's key, and of a session's."""
NO_KEY = bytes(KEY)
"""The key of `seal = none`."""
_SAYS = {Side.HOST: b"TSL/1 host proof", Side.DEVICE: b"TSL/1 device proof"}
_TO_DEVICE, _TO_HOST = b"TSL/1 host to device", b"TSL/1 device to host"


@dataclass(frozen=True, slots=True, repr=False)
class SessionKeys:
    """One key for each direction."""

    to_device: bytes
    to_host: bytes


def seal_of(key: bytes) -> Seal:
    """Who has a key seals; who has none (an empty one) speaks clear."""
    return Seal.SEALED if key else Seal.NONE


def transcript(host_hello: bytes, device_hello: bytes) -> bytes:
    """T: 32 bytes over both Hello payloads as they were sent."""
    lengths = (len(payload).to_bytes(2, "little") for payload in (host_hello, device_hello))
    return hashlib.sha256(b"TSL/1" + next(lengths) + host_hello + next(lengths) + device_hello).digest()


def mac(side: Side, key: bytes, whole_transcript: bytes) -> bytes:
    """What `side` sends as its proof: 32 bytes. An empty key stands for `seal = none`."""
    return hmac.digest(key or NO_KEY, _SAYS[side] + whole_transcript, "sha256")


def session_keys(key: bytes, whole_transcript: bytes) -> SessionKeys:
    """The keys of the session that this handshake installs."""
    return SessionKeys(_derived(key, whole_transcript, _TO_DEVICE), _derived(key, whole_transcript, _TO_HOST))


def _derived(key: bytes, salt: bytes, says: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=KEY, salt=salt, info=says).derive(key)
