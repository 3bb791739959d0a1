"""Hashes of passwords and PINs: argon2id. The process of a playing table does not import this module."""

from base64 import b64decode
from collections.abc import Iterable
from hmac import compare_digest
from typing import Final

from argon2 import PasswordHasher, extract_parameters, low_level
from argon2.exceptions import InvalidHashError, VerifyMismatchError

HASHER: Final = PasswordHasher(time_cost=4, memory_cost=9216, parallelism=1)
"""9 MiB of memory, the smallest for which argon2id is still recommended."""
NOBODYS_HASH: Final = (
    "$argon2id$v=19$m=9216,t=4,p=1$5jBBLeb8yRARQnoPKT/Gvg$XpgUx8DqwacvtSALIapeFVvPU31r+0DIscotA75UDqM"
)
"""The hash of 32 random bytes that nobody kept, with today's parameters. A secret is compared with it when
there is no account, so that the duration does not reveal which names exist."""

MOST_SALTS: Final = 4
"""Kinds of hashes that one secret is compared with: a directory has one, or two while parameters change."""


def hash_secret(secret: str, salt: bytes | None = None) -> str:
    """The hash for storage, with a salt of its own unless one is given. Takes tens of milliseconds."""
    return HASHER.hash(secret, salt=salt)


def verify_secret(stored: str | None, secret: str) -> bool:
    """Whether the secret matches the stored hash; False without one. Takes as long in both cases."""
    try:
        return HASHER.verify(stored or NOBODYS_HASH, secret) and stored is not None
    except (VerifyMismatchError, InvalidHashError):
        return False


def matching_hash(stored: Iterable[str], secret: str) -> str | None:
    """The one of these hashes that the secret matches; None if there is none. Hashes with the same parameters
    and the same salt are compared with one computation. Of others, the first MOST_SALTS kinds are looked
    at."""
    kinds: dict[str, list[str]] = {}
    for one in stored:
        kinds.setdefault(one.rpartition("$")[0], []).append(one)
    for alike in list(kinds.values())[:MOST_SALTS]:
        found = _recomputed(alike[0], secret)
        if match := next((one for one in alike if compare_digest(one, found)), None):
            return match
    return None


def _recomputed(stored: str, secret: str) -> str:
    """The hash of the secret with the parameters and the salt of this one; empty if it is none."""
    try:
        parameters = extract_parameters(stored)
        text = stored.rsplit("$", 2)[1]
        salt = b64decode(text + "=" * (-len(text) % 4))
    except (InvalidHashError, ValueError):
        return ""
    return low_level.hash_secret(
        secret.encode(),
        salt,
        parameters.time_cost,
        parameters.memory_cost,
        parameters.parallelism,
        parameters.hash_len,
        parameters.type,
    ).decode()


def renewed_hash(stored: str, secret: str) -> str:
    """The hash to store instead of one with other parameters than today's; else empty."""
    return hash_secret(secret) if HASHER.check_needs_rehash(stored) else ""
