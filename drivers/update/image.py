"""Firmware images: what their maker signs (section 12 of firmware-protocol/README.md), and the file of an
update.

The file has two lines of text that a person can read, then the image as it is:

    TSL/1 firmware update
    {"class": "shoe", "hardware": "A1", "version": 7, "size": 400, "sha256": HEX, "signature": HEX}
    ...image...
"""

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path

from drivers.messages import UpdateBegin
from drivers.protocol.codes import DeviceClass
from drivers.update.signed_file import (
    CLASSES,
    SignedFileFault,
    bytes_of,
    header,
    read_content,
    read_statement,
    split,
)
from drivers.update.signing import (
    SIGNATURE,
    check_hardware,
    check_size,
    check_u32,
    device_bytes,
    is_signed,
    signature_of,
)

HASH = 32
_LABEL = b"TSL/1 update"
FIRST_LINE = b"TSL/1 firmware update\n"
_FIELDS = {"class": str, "hardware": str, "version": int, "size": int, "sha256": str, "signature": str}


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
        check_u32("version", self.version)
        check_u32("size", self.size, 1)
        check_size("sha256", self.sha256, HASH)
        check_size("signature", self.signature, SIGNATURE)

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


def signed_bytes(device_class: int, hardware: str, version: int, size: int, sha256: bytes) -> bytes:
    """The bytes of an update that the maker signs."""
    return _LABEL + device_bytes(device_class, hardware) + struct.pack("<II", version, size) + sha256


def sign(image: bytes, device_class: DeviceClass, hardware: str, version: int, key: bytes) -> ImageManifest:
    """Signs an image with the maker's private key of 32 bytes. Raises ValueError for a version, hardware or
    image that is not allowed."""
    digest = hashlib.sha256(image).digest()
    check_hardware(hardware)
    check_u32("version", version)
    signature = signature_of(key, signed_bytes(device_class, hardware, version, len(image), digest))
    return ImageManifest(device_class, hardware, version, len(image), digest, signature)


@dataclass(frozen=True, slots=True)
class FirmwareUpdate:
    """An image and its manifest, which fit."""

    manifest: ImageManifest
    image: bytes

    def __post_init__(self) -> None:
        if not self.manifest.fits(self.image):
            raise ValueError("the image has another SHA-256 than the manifest: it is damaged")


def read_update(path: Path) -> FirmwareUpdate:
    """Reads an update. Raises SignedFileFault for a file that is not an update, is unsigned, truncated or
    damaged. Does not check who signed it."""
    try:
        return parse(read_content(path))
    except ValueError as error:
        raise SignedFileFault(f"{path}: {error}") from error


def parse(content: bytes) -> FirmwareUpdate:
    """Parses the content of a file. Raises ValueError."""
    line, image = split(content, FIRST_LINE, "a firmware update")
    manifest = _manifest(line)
    if len(image) != manifest.size:
        raise ValueError(f"{len(image)} bytes of image, the manifest says {manifest.size}: it is incomplete")
    return FirmwareUpdate(manifest, image)


def serialize(update: FirmwareUpdate) -> bytes:
    """The content of the update's file."""
    manifest = update.manifest
    stated = {
        "class": manifest.device_class.name.lower(),
        "hardware": manifest.hardware,
        "version": manifest.version,
        "size": manifest.size,
        "sha256": manifest.sha256.hex(),
        "signature": manifest.signature.hex(),
    }
    return header(FIRST_LINE, stated) + update.image


def _manifest(line: bytes) -> ImageManifest:
    stated = read_statement(line, _FIELDS)
    return ImageManifest(
        CLASSES[stated["class"]],
        stated["hardware"],
        stated["version"],
        stated["size"],
        bytes_of(stated, "sha256"),
        bytes_of(stated, "signature"),
    )
