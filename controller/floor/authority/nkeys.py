"""Keys as NATS writes them: Ed25519, in base32, with letters in front that say what a key is for, and a
checksum behind."""

import base64
import binascii
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Final, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal.names import write

SEED: Final = 18 << 3
"""Before a private key; "S" in base32."""
KEY: Final = 32
CHECKSUM: Final = 2
MODE: Final = 0o600


class NkeyError(Exception):
    """A key cannot be used or kept. The message repeats nothing of a private key."""


class NkeyKind(IntEnum):
    """The first byte of a public key; O, A and U in base32."""

    OPERATOR = 14 << 3
    ACCOUNT = 0
    USER = 20 << 3


@dataclass(frozen=True, slots=True)
class Nkey:
    """A private key."""

    kind: NkeyKind
    _private: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def make(cls, kind: NkeyKind) -> Self:
        return cls(kind, Ed25519PrivateKey.generate())

    @classmethod
    def of_seed(cls, seed: str, kind: NkeyKind) -> Self:
        """Raises NkeyError."""
        content = _content(seed, "the seed")
        if content[:2] != _seed_prefix(kind) or len(content) != len(_seed_prefix(kind)) + KEY:
            raise NkeyError(f"the seed is not that of a key of the kind {kind.name.lower()}")
        return cls(kind, Ed25519PrivateKey.from_private_bytes(content[2:]))

    @classmethod
    def read(cls, path: Path, kind: NkeyKind) -> Self:
        """The key whose seed is in the file at `path`. Raises NkeyError."""
        try:
            return cls.of_seed(path.read_text("ascii", errors="replace").strip(), kind)
        except OSError as error:
            raise NkeyError(f"key {path} cannot be read: {error.strerror}") from error
        except NkeyError as error:
            raise NkeyError(f"key {path}: {error}") from None

    @property
    def public(self) -> str:
        return _text(bytes((self.kind,)) + self._private.public_key().public_bytes_raw())

    @property
    def seed(self) -> str:
        return _text(_seed_prefix(self.kind) + self._private.private_bytes_raw())

    def sign(self, content: bytes) -> bytes:
        return self._private.sign(content)

    def keep(self, path: Path) -> None:
        """Write the seed into a file that only its owner can read. Raises NkeyError."""
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write(path, f"{self.seed}\n".encode(), MODE)
        except OSError as error:
            raise NkeyError(f"key {path} cannot be kept: {error.strerror}") from error


def kept_nkey(path: Path, kind: NkeyKind) -> Nkey:
    """The key in the file at `path`, which is made if it is missing. Raises NkeyError."""
    if not path.exists():
        Nkey.make(kind).keep(path)
    return Nkey.read(path, kind)


def checked_public(text: str, kind: NkeyKind) -> str:
    """A public key. Raises NkeyError."""
    content = _content(text, f"the key {text!r}")
    if len(content) != KEY + 1 or content[0] != kind:
        raise NkeyError(f"the key {text!r} is not the public key of the kind {kind.name.lower()}")
    return text


def _seed_prefix(kind: NkeyKind) -> bytes:
    """The letters of a seed and of its kind share ten bits."""
    return bytes((SEED | kind >> 5, (kind & 31) << 3))


def _text(content: bytes) -> str:
    checksum = binascii.crc_hqx(content, 0).to_bytes(CHECKSUM, "little")
    return base64.b32encode(content + checksum).decode().rstrip("=")


def _content(text: str, what: str) -> bytes:
    """Raises NkeyError, whose message begins with `what`."""
    try:
        decoded = base64.b32decode(text + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        decoded = b""
    content, checksum = decoded[:-CHECKSUM], decoded[-CHECKSUM:]
    if not content or binascii.crc_hqx(content, 0) != int.from_bytes(checksum, "little"):
        raise NkeyError(f"{what} is damaged")
    return content
