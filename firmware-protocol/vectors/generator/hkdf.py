"""HKDF with SHA-256 (RFC 5869)."""

import hmac

HASH = 32


def hkdf(material: bytes, salt: bytes, info: bytes, length: int = HASH) -> bytes:
    """`length` bytes; an empty salt counts as 32 zero bytes."""
    extracted = hmac.digest(salt or bytes(HASH), material, "sha256")
    out = last = b""
    for number in range(1, (length + HASH - 1) // HASH + 1):
        last = hmac.digest(extracted, last + info + bytes([number]), "sha256")
        out += last
    return out[:length]
