"""Messages between tables, the floor and linked progressives, each with a signature.

The signature is Ed25519 over the subject, a line feed and the payload as sent. So a message cannot be sent
again under another subject, and no canonical form of the payload is needed. The public key and the signature
travel as the headers Ts-Key and Ts-Sig, in hex.
"""

from base64 import b64decode, b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY: Final = "Ts-Key"
SIGNATURE: Final = "Ts-Sig"


class MessageSigner(Protocol):
    """A key. `public`: the 32 bytes with which anybody can check a signature."""

    public: bytes

    def sign(self, message: bytes) -> bytes:
        """The signature, 64 bytes."""


class UnsignedError(Exception):
    """A message is not signed as it must be. The text says why."""


@dataclass(frozen=True, slots=True)
class SignedMessage:
    """`key`: the public key, 32 bytes; `signature`: 64 bytes. Neither is checked before `verify`."""

    subject: str
    payload: bytes
    key: bytes
    signature: bytes

    @classmethod
    def make(cls, subject: str, payload: bytes, signer: MessageSigner) -> Self:
        return cls(subject, payload, signer.public, signer.sign(_statement(subject, payload)))

    @classmethod
    def received(cls, subject: str, payload: bytes, headers: Mapping[str, str] | None) -> Self:
        """The message as it came. Raises UnsignedError if a header is missing or is not hex."""
        found = headers or {}
        try:
            return cls(subject, payload, bytes.fromhex(found[KEY]), bytes.fromhex(found[SIGNATURE]))
        except KeyError as missing:
            raise UnsignedError(f"{subject}: the header {missing.args[0]} is missing") from None
        except ValueError:
            raise UnsignedError(f"{subject}: {KEY} or {SIGNATURE} is not hex") from None

    @classmethod
    def of_fields(cls, fields: Mapping[str, str]) -> Self:
        """The message as it travels on the table socket, see `fields`. Raises UnsignedError."""
        try:
            key, signature = bytes.fromhex(fields["key"]), bytes.fromhex(fields["signature"])
            return cls(fields["subject"], b64decode(fields["payload"], validate=True), key, signature)
        except KeyError as missing:
            raise UnsignedError(f"a signed message: {missing.args[0]} is missing") from None
        except (TypeError, ValueError) as error:
            raise UnsignedError(f"a signed message cannot be read: {error}") from None

    def fields(self) -> dict[str, str]:
        """For the table socket: `subject`, `key` and `signature` in hex, `payload` in base64."""
        return {
            "subject": self.subject,
            "key": self.key.hex(),
            "signature": self.signature.hex(),
            "payload": b64encode(self.payload).decode(),
        }

    def headers(self) -> dict[str, str]:
        return {KEY: self.key.hex(), SIGNATURE: self.signature.hex()}

    def verify(self, pinned: Collection[bytes]) -> bytes:
        """The payload, if one of the `pinned` public keys signed it. Raises UnsignedError."""
        if self.key not in pinned:
            raise UnsignedError(f"{self.subject}: signed with the key {self.key.hex()}, which is not pinned")
        try:
            public = Ed25519PublicKey.from_public_bytes(self.key)
            public.verify(self.signature, _statement(self.subject, self.payload))
        except (ValueError, InvalidSignature):
            raise UnsignedError(f"{self.subject}: the signature is wrong") from None
        return self.payload


def _statement(subject: str, payload: bytes) -> bytes:
    return f"{subject}\n".encode() + payload
