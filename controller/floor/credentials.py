"""Credentials of a program on the servers: a file with its signed permissions (a JWT) and its private key.

The file has the form that NATS tools write. The key is Ed25519; its seed is written in base32, behind two
bytes that say what it is for, and before two bytes of a checksum.
"""

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_PART: Final = r"-+BEGIN {}-+\s+(\S+)\s+-+END {}-+"
_JWT: Final = "NATS USER JWT"
_SEED: Final = "USER NKEY SEED"
_PREFIX: Final = 2
_LENGTH: Final = 36
"""Bytes of a decoded seed: two in front, 32 of the key, two of the checksum."""


class CredentialsError(Exception):
    """A file of credentials cannot be used. The message names it and repeats nothing of it."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """`jwt`: what the servers have signed for this program."""

    jwt: bytes
    _private: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The credentials in the file at `path`. Raises CredentialsError."""
        try:
            text = path.read_text("ascii")
        except OSError as error:
            raise CredentialsError(f"credentials {path} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError:
            raise CredentialsError(f"credentials {path} are not text") from None
        jwt, seed = (re.search(_PART.format(part, part), text) for part in (_JWT, _SEED))
        if not jwt or not seed:
            raise CredentialsError(f"credentials {path} lack a part; needed: {_JWT} and {_SEED}")
        return cls(jwt[1].encode(), _private_key(path, seed[1]))

    def options(self) -> dict[str, Callable[..., bytes]]:
        """What a client of NATS takes to sign in."""
        return {"user_jwt_cb": lambda: self.jwt, "signature_cb": self._sign}

    def _sign(self, nonce: str) -> bytes:
        return base64.b64encode(self._private.sign(nonce.encode()))


def _private_key(path: Path, seed: str) -> Ed25519PrivateKey:
    try:
        decoded = base64.b32decode(seed + "=" * (-len(seed) % 8))
    except binascii.Error:
        decoded = b""
    if len(decoded) != _LENGTH or binascii.crc_hqx(decoded[:-2], 0) != int.from_bytes(decoded[-2:], "little"):
        raise CredentialsError(f"credentials {path}: the {_SEED} is damaged")
    return Ed25519PrivateKey.from_private_bytes(decoded[_PREFIX:-2])
