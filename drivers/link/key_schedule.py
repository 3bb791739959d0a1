"""The key schedule of a handshake: from K, both Hellos and both shares to macs and the keys of a session.

Sections 6.1 and 7 of firmware-protocol/README.md. An empty key stands for `seal = none`: K is 32 zero bytes
then, and shares and shared secret are empty.
"""

import hashlib
import hmac
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from drivers.protocol.codes import Seal

KEY = 32
"""Size of a device's key, of a session's key, of a share and of its secret, in bytes."""
NO_KEY = bytes(KEY)
"""The key of `seal = none`."""
_ONE = b"\x01"
"""The number of the only block of HKDF-Expand."""


@dataclass(frozen=True, slots=True, repr=False)
class SessionKeys:
    """One key for each direction."""

    to_device: bytes
    to_host: bytes


@dataclass(frozen=True, slots=True, repr=False)
class Agreement:
    """What both sides have after the shares: the keys of the session, and the mac of the device's Proof."""

    keys: SessionKeys
    device_mac: bytes


def seal_of(key: bytes) -> Seal:
    """Sealed for a side with a key, none for a side with an empty key."""
    return Seal.SEALED if key else Seal.NONE


def share_size(key: bytes) -> int:
    """How many bytes the share of a Proof has: none without a key."""
    return KEY if key else 0


def subkey(key: bytes, label: bytes) -> bytes:
    """The key that K gives for one purpose: 32 bytes."""
    return _expand(key or NO_KEY, label)


def transcript(host_hello: bytes, device_hello: bytes) -> bytes:
    """The transcript T: 32 bytes over both Hello payloads as they were sent."""
    lengths = (len(payload).to_bytes(2, "little") for payload in (host_hello, device_hello))
    return hashlib.sha256(b"TSL/1" + next(lengths) + host_hello + next(lengths) + device_hello).digest()


def host_mac(key: bytes, whole_transcript: bytes, share: bytes) -> bytes:
    """The mac of the host's Proof: 32 bytes."""
    content = b"TSL/1 host proof" + whole_transcript + share
    return hmac.digest(subkey(key, b"TSL/1 proof"), content, "sha256")


def share_of(secret: bytes) -> bytes:
    """The share of a secret, both of 32 bytes."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def shared_secret(secret: bytes, peer_share: bytes) -> bytes:
    """S: 32 bytes, or empty if the peer's share makes it zero, which no honest share does."""
    try:
        peer = X25519PublicKey.from_public_bytes(peer_share)
        return X25519PrivateKey.from_private_bytes(secret).exchange(peer)
    except ValueError:
        return b""


def agreement(
    key: bytes, whole_transcript: bytes, host_share: bytes, device_share: bytes, shared: bytes
) -> Agreement:
    """What follows from T, both shares and their shared secret."""
    second = hashlib.sha256(b"TSL/1 shares" + whole_transcript + host_share + device_share).digest()
    extracted = hmac.digest(second, subkey(key, b"TSL/1 mix") + shared, "sha256")
    keys = SessionKeys(
        _expand(extracted, b"TSL/1 host to device"), _expand(extracted, b"TSL/1 device to host")
    )
    confirm = _expand(extracted, b"TSL/1 confirm")
    return Agreement(keys, hmac.digest(confirm, b"TSL/1 device proof" + second, "sha256"))


def _expand(key: bytes, label: bytes) -> bytes:
    """HKDF-Expand with SHA-256, for one block."""
    return hmac.digest(key, label + _ONE, "sha256")
