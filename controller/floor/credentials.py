"""Credentials of a program on the servers: a file with its signed permissions (a JWT) and its private key.

The file has the form that NATS tools write.
"""

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from controller.floor.authority.nkeys import Nkey, NkeyError, NkeyKind

_PART: Final = r"-+BEGIN {}-+\s+(\S+)\s+-+END {}-+"
_WRITTEN: Final = "-----BEGIN {0}-----\n{1}\n------END {0}------\n"
_JWT: Final = "NATS USER JWT"
_SEED: Final = "USER NKEY SEED"


class CredentialsError(Exception):
    """A file of credentials cannot be used. The message names it and repeats nothing of it."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """`jwt`: what the servers have signed for this program."""

    jwt: bytes
    _key: Nkey = field(repr=False)

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
        try:
            return cls(jwt[1].encode(), Nkey.of_seed(seed[1], NkeyKind.USER))
        except NkeyError:
            raise CredentialsError(f"credentials {path}: the {_SEED} is damaged") from None

    def options(self) -> dict[str, Callable[..., bytes]]:
        """What a client of NATS takes to sign in."""
        return {"user_jwt_cb": lambda: self.jwt, "signature_cb": self._sign}

    def _sign(self, nonce: str) -> bytes:
        return base64.b64encode(self._key.sign(nonce.encode()))


def credentials_text(jwt: str, seed: str) -> str:
    """The content of a file of credentials."""
    return f"{_WRITTEN.format(_JWT, jwt)}\n{_WRITTEN.format(_SEED, seed)}"
