"""Signatures of makers: Ed25519, over texts that name a class of devices and their hardware (section 12 of
firmware-protocol/README.md)."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SIGNATURE = 64
PUBLIC_KEY = 32
HARDWARE = 12
"""The most bytes of the name of a device's hardware."""
MOST_U32 = 2**32 - 1


def check_hardware(hardware: str) -> None:
    """Raises ValueError for a name that no device can have."""
    size = len(hardware.encode())
    if not 1 <= size <= HARDWARE or "\0" in hardware:
        raise ValueError(f"hardware {hardware!r}: must have 1 to {HARDWARE} bytes, none of them zero")


def check_u32(name: str, value: int, least: int = 0) -> None:
    """Raises ValueError for a number that the field `name` cannot have."""
    if not least <= value <= MOST_U32:
        raise ValueError(f"{name} {value}: allowed are {least} to {MOST_U32}")


def check_size(name: str, value: bytes, size: int) -> None:
    """Raises ValueError for bytes of another size."""
    if len(value) != size:
        raise ValueError(f"{name} of {len(value)} bytes: must have {size}")


def device_bytes(device_class: int, hardware: str) -> bytes:
    """Class and hardware as they are signed: 13 bytes."""
    return bytes([device_class]) + hardware.encode().ljust(HARDWARE, b"\0")


def signature_of(key: bytes, content: bytes) -> bytes:
    """The signature of a private key of 32 bytes."""
    return Ed25519PrivateKey.from_private_bytes(key).sign(content)


def is_signed(public: bytes, signature: bytes, content: bytes) -> bool:
    """Whether an Ed25519 signature is that of this public key over the content."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key(key: bytes) -> bytes:
    """The public key of a private key, both of 32 bytes."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
