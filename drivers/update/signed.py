"""What a maker signs of an image, and who checks it. Section 12 of firmware-protocol/README.md."""

import hashlib
import struct
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from drivers.protocol.codes import DeviceClass
from drivers.update.actions import UpdateBegin

SIGNATURE = 64
HASH = 32
MOST = 2**32 - 1
"""The greatest version, and the greatest size."""
_SAYS = b"TSL/1 update"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an image is. The constructor checks sizes, `signed_by` the signature, `fits` the image."""

    device_class: DeviceClass
    version: int
    size: int
    sha256: bytes
    signature: bytes

    def __post_init__(self) -> None:
        if not 0 <= self.version <= MOST:
            raise ValueError(f"version {self.version}: allowed are 0 to {MOST}")
        if not 1 <= self.size <= MOST:
            raise ValueError(f"size {self.size}: allowed are 1 to {MOST}")
        if len(self.sha256) != HASH:
            raise ValueError(f"sha256 of {len(self.sha256)} bytes: must have {HASH}")
        if len(self.signature) != SIGNATURE:
            raise ValueError(f"signature of {len(self.signature)} bytes: must have {SIGNATURE}")

    @property
    def begin(self) -> UpdateBegin:
        """How it is announced to a device."""
        return UpdateBegin(self.version, self.size, self.sha256, self.signature)

    def signed_by(self, maker: bytes) -> bool:
        """Whether the signature is that of the maker with this public key of 32 bytes."""
        content = signed(self.device_class, self.version, self.size, self.sha256)
        try:
            Ed25519PublicKey.from_public_bytes(maker).verify(self.signature, content)
        except InvalidSignature:
            return False
        return True

    def fits(self, image: bytes) -> bool:
        """Whether this is the image that it tells of."""
        return len(image) == self.size and hashlib.sha256(image).digest() == self.sha256


def signed(device_class: int, version: int, size: int, sha256: bytes) -> bytes:
    """The bytes under the signature."""
    return _SAYS + struct.pack("<BII", device_class, version, size) + sha256


def sign(image: bytes, device_class: DeviceClass, version: int, key: bytes) -> Manifest:
    """As the maker with this private key of 32 bytes. Raises ValueError for a version or an image that is
    not allowed."""
    digest = hashlib.sha256(image).digest()
    if not 0 <= version <= MOST:
        raise ValueError(f"version {version}: allowed are 0 to {MOST}")
    content = signed(device_class, version, len(image), digest)
    signature = Ed25519PrivateKey.from_private_bytes(key).sign(content)
    return Manifest(device_class, version, len(image), digest, signature)


def public_key(key: bytes) -> bytes:
    """The public half of a private key, both of 32 bytes."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
