"""Messages that one table alone can read.

Theory of operation
-------------------
The table has a pair of X25519 keys. The sender of a message makes another pair for that one message:

    shared    = X25519(the message's private key, the table's public key)
    key       = HKDF-SHA256(shared, salt = both public keys, info = "tableside seal 1")
    box       = the message's public key || ChaCha20-Poly1305(key, nonce 0, the message, context)

The nonce may always be 0, because no key seals two messages. `context` names the purpose of the message: a
box that was moved to another place cannot be opened. A seal says nothing about the sender, so a sealed
message must also be signed.
"""

from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

LENGTH: Final = 32
"""Bytes of a key."""
_INFO: Final = b"tableside seal 1"
_NONCE: Final = bytes(12)


class SealBroken(Exception):
    """The box was not sealed for this key and this context, or was changed."""


class SealingKey:
    """A table's private key, 32 bytes. `public`: its public half, 32 bytes."""

    def __init__(self, key: bytes) -> None:
        self._private = X25519PrivateKey.from_private_bytes(key)
        self.public = self._private.public_key().public_bytes_raw()

    def open(self, box: bytes, context: bytes) -> bytes:
        """The message. Raises SealBroken."""
        theirs, sealed = box[:LENGTH], box[LENGTH:]
        try:
            shared = self._private.exchange(X25519PublicKey.from_public_bytes(theirs))
            return ChaCha20Poly1305(_key(shared, theirs, self.public)).decrypt(_NONCE, sealed, context)
        except (ValueError, InvalidTag):  # ValueError: too short, or a public key that no pair has
            raise SealBroken("sealed for another key or another purpose, or changed") from None


def seal(public: bytes, message: bytes, context: bytes) -> bytes:
    """The box that only the table with this public key can open. Raises ValueError if it is not a key."""
    private = X25519PrivateKey.generate()
    ours = private.public_key().public_bytes_raw()
    shared = private.exchange(X25519PublicKey.from_public_bytes(public))
    return ours + ChaCha20Poly1305(_key(shared, ours, public)).encrypt(_NONCE, message, context)


def _key(shared: bytes, ours: bytes, theirs: bytes) -> bytes:
    return HKDF(SHA256(), LENGTH, salt=ours + theirs, info=_INFO).derive(shared)
