"""Signed claims as NATS writes them: a JWT whose signature is that of an nkey."""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from controller.floor.authority.nkeys import Nkey

HEADER: Final = {"typ": "JWT", "alg": "ed25519-nkey"}
VERSION: Final = 2
PARTS: Final = 3


class ClaimsError(Exception):
    """A text is not signed claims. The message says why."""


def signed_claims(issuer: Nkey, subject: str, name: str, nats: Mapping[str, Any], issued: int) -> str:
    """What `issuer` says of the public key `subject`. `issued`: seconds of Unix time."""
    claims: dict[str, Any] = {
        "iat": issued,
        "iss": issuer.public,
        "name": name,
        "sub": subject,
        "nats": {**nats, "version": VERSION},
    }
    digest = hashlib.sha256(_json(claims)).digest()
    claims["jti"] = base64.b32encode(digest).decode().rstrip("=")
    content = f"{_base64(_json(HEADER))}.{_base64(_json(claims))}"
    return f"{content}.{_base64(issuer.sign(content.encode()))}"


def read_claims(text: str) -> dict[str, Any]:
    """The claims, whose signature is not checked: the servers do. Raises ClaimsError."""
    parts = text.strip().split(".")
    if len(parts) != PARTS:
        raise ClaimsError("it is not signed claims: three parts with points between them")
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (binascii.Error, ValueError) as error:
        raise ClaimsError(f"its claims cannot be read: {error}") from None
    if not isinstance(claims, dict) or not isinstance(claims.get("nats"), dict):
        raise ClaimsError("its claims are not those of NATS")
    return claims


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
