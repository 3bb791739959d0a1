"""Hashes of passwords and PINs: argon2id. The process of a playing table does not import this module."""

from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

HASHER: Final = PasswordHasher(time_cost=4, memory_cost=9216, parallelism=1)
"""9 MiB of memory, the smallest for which argon2id is still recommended."""
NOBODYS_HASH: Final = (
    "$argon2id$v=19$m=9216,t=4,p=1$5jBBLeb8yRARQnoPKT/Gvg$XpgUx8DqwacvtSALIapeFVvPU31r+0DIscotA75UDqM"
)
"""The hash of 32 random bytes that nobody kept, with today's parameters. A secret is compared with it when
there is no account, so that the duration does not reveal which names exist."""


def hash_secret(secret: str) -> str:
    """The hash for storage, with a salt of its own. Takes tens of milliseconds."""
    return HASHER.hash(secret)


def verify_secret(stored: str | None, secret: str) -> bool:
    """Whether the secret matches the stored hash; False without one. Takes as long in both cases."""
    try:
        return HASHER.verify(stored or NOBODYS_HASH, secret) and stored is not None
    except (VerifyMismatchError, InvalidHashError):
        return False


def renewed_hash(stored: str, secret: str) -> str:
    """The hash to store instead of one with other parameters than today's; else empty."""
    return hash_secret(secret) if HASHER.check_needs_rehash(stored) else ""
