"""Firmware images: what their maker signs (section 12 of firmware-protocol/README.md), and the file of an
update.

The file has two lines of text that a person can read, then the image as it is:

    TSL/1 firmware update
    {"class": "shoe", "hardware": "A1", "version": 7, "size": 400, "sha256": HEX, "signature": HEX}
    ...image...
"""

import hashlib
import json
import struct
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from drivers.messages import MakerKey, UpdateBegin
from drivers.protocol.codes import DeviceClass

SIGNATURE = 64
HASH = 32
PUBLIC_KEY = 32
MOST_U32 = 2**32 - 1
"""The greatest version and the greatest size."""
HARDWARE = 12
"""The most bytes of the name of a device's hardware."""
_LABEL = b"TSL/1 update"
_MAKER_LABEL = b"TSL/1 maker"


@dataclass(frozen=True, slots=True)
class ImageManifest:
    """What is signed about an image. The constructor checks sizes, `signed_by` the signature, `fits` the
    image."""

    device_class: DeviceClass
    hardware: str
    version: int
    size: int
    sha256: bytes
    signature: bytes

    def __post_init__(self) -> None:
        check_hardware(self.hardware)
        if not 0 <= self.version <= MOST_U32:
            raise ValueError(f"version {self.version}: allowed are 0 to {MOST_U32}")
        if not 1 <= self.size <= MOST_U32:
            raise ValueError(f"size {self.size}: allowed are 1 to {MOST_U32}")
        if len(self.sha256) != HASH:
            raise ValueError(f"sha256 of {len(self.sha256)} bytes: must have {HASH}")
        if len(self.signature) != SIGNATURE:
            raise ValueError(f"signature of {len(self.signature)} bytes: must have {SIGNATURE}")

    @property
    def begin(self) -> UpdateBegin:
        """The action that announces the image to a device."""
        return UpdateBegin(self.version, self.size, self.sha256, self.signature)

    def signed_by(self, maker: bytes) -> bool:
        """Whether the maker with this public key of 32 bytes signed it."""
        content = signed_bytes(self.device_class, self.hardware, self.version, self.size, self.sha256)
        return is_signed(maker, self.signature, content)

    def fits(self, image: bytes) -> bool:
        """Whether size and hash are those of `image`."""
        return len(image) == self.size and hashlib.sha256(image).digest() == self.sha256


def check_hardware(hardware: str) -> None:
    """Raises ValueError for a name that no device can have."""
    size = len(hardware.encode())
    if not 1 <= size <= HARDWARE or "\0" in hardware:
        raise ValueError(f"hardware {hardware!r}: must have 1 to {HARDWARE} bytes, none of them zero")


def is_signed(public: bytes, signature: bytes, content: bytes) -> bool:
    """Whether an Ed25519 signature is that of this public key over the content."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def signed_bytes(device_class: int, hardware: str, version: int, size: int, sha256: bytes) -> bytes:
    """The bytes of an update that the maker signs."""
    name = hardware.encode().ljust(HARDWARE, b"\0")
    return _LABEL + bytes([device_class]) + name + struct.pack("<II", version, size) + sha256


def maker_key_bytes(device_class: int, hardware: str, generation: int, key: bytes) -> bytes:
    """The bytes of a new maker's key that the root key signs."""
    name = hardware.encode().ljust(HARDWARE, b"\0")
    return _MAKER_LABEL + bytes([device_class]) + name + struct.pack("<I", generation) + key


def sign_maker_key(
    key: bytes, device_class: DeviceClass, hardware: str, generation: int, root: bytes
) -> MakerKey:
    """Signs a maker's public key with the private root key, both of 32 bytes. Raises ValueError for a
    generation or hardware that is not allowed."""
    check_hardware(hardware)
    if not 1 <= generation <= MOST_U32:
        raise ValueError(f"generation {generation}: allowed are 1 to {MOST_U32}")
    content = maker_key_bytes(device_class, hardware, generation, key)
    return MakerKey(generation, key, Ed25519PrivateKey.from_private_bytes(root).sign(content))


def sign(image: bytes, device_class: DeviceClass, hardware: str, version: int, key: bytes) -> ImageManifest:
    """Signs an image with the maker's private key of 32 bytes. Raises ValueError for a version, hardware or
    image that is not allowed."""
    digest = hashlib.sha256(image).digest()
    check_hardware(hardware)
    if not 0 <= version <= MOST_U32:
        raise ValueError(f"version {version}: allowed are 0 to {MOST_U32}")
    content = signed_bytes(device_class, hardware, version, len(image), digest)
    signature = Ed25519PrivateKey.from_private_bytes(key).sign(content)
    return ImageManifest(device_class, hardware, version, len(image), digest, signature)


def public_key(key: bytes) -> bytes:
    """The public key of a private key, both of 32 bytes."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


FIRST_LINE = b"TSL/1 firmware update\n"
LONGEST_LINE = 1000
CLASSES = {member.name.lower(): member for member in DeviceClass}
_FIELDS = {"class": str, "hardware": str, "version": int, "size": int, "sha256": str, "signature": str}


class ImageFault(Exception):
    """A file is not an update, is for another device, or is damaged. The text names the file and says what
    is wrong."""


@dataclass(frozen=True, slots=True)
class FirmwareUpdate:
    """An image and its manifest, which fit."""

    manifest: ImageManifest
    image: bytes

    def __post_init__(self) -> None:
        if not self.manifest.fits(self.image):
            raise ValueError("the image has another SHA-256 than the manifest: it is damaged")


def read_update(path: Path) -> FirmwareUpdate:
    """Reads an update. Raises ImageFault for a file that is not an update, is unsigned, truncated or
    damaged. Does not check who signed it."""
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise ImageFault(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ImageFault(f"{path}: {error}") from error


def parse(content: bytes) -> FirmwareUpdate:
    """Parses the content of a file. Raises ValueError."""
    if not content.startswith(FIRST_LINE):
        raise ValueError(f"not a firmware update: it must begin with {FIRST_LINE.decode().strip()!r}")
    line, end, image = content[len(FIRST_LINE) :].partition(b"\n")
    if not end or len(line) > LONGEST_LINE:
        raise ValueError(f"its second line must end within {LONGEST_LINE} bytes")
    manifest = _manifest(line)
    if len(image) != manifest.size:
        raise ValueError(f"{len(image)} bytes of image, the manifest says {manifest.size}: it is incomplete")
    return FirmwareUpdate(manifest, image)


def serialize(update: FirmwareUpdate) -> bytes:
    """The content of the update's file."""
    manifest = update.manifest
    header = {
        "class": manifest.device_class.name.lower(),
        "hardware": manifest.hardware,
        "version": manifest.version,
        "size": manifest.size,
        "sha256": manifest.sha256.hex(),
        "signature": manifest.signature.hex(),
    }
    return FIRST_LINE + json.dumps(header).encode() + b"\n" + update.image


def _manifest(line: bytes) -> ImageManifest:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its second line is not JSON: {error}") from error
    if not isinstance(header, dict) or not header.get("signature"):
        raise ValueError("it is not signed")
    for name, kind in _FIELDS.items():
        if type(header.get(name)) is not kind:
            raise ValueError(f"{name} = {header.get(name)!r}: must be {_TYPE_NAMES[kind]}")
    if header["class"] not in CLASSES:
        raise ValueError(f"class = {header['class']!r}: allowed are {', '.join(CLASSES)}")
    hashed, signature = (_bytes(name, header[name]) for name in ("sha256", "signature"))
    names = CLASSES[header["class"]], header["hardware"]
    return ImageManifest(*names, header["version"], header["size"], hashed, signature)


def _bytes(name: str, digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise ValueError(f"{name} = {digits!r}: must be hexadecimal digits") from error


_TYPE_NAMES = {str: "text", int: "a whole number"}
