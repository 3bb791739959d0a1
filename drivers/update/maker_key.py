"""The key with which a maker signs its firmware, as the root key signs it (section 12.6 of
firmware-protocol/README.md), and the file that brings it to a table.

The file has two lines of text:

    TSL/1 maker key
    {"class": "shoe", "hardware": "A1", "generation": 1, "key": HEX, "signature": HEX}
"""

import struct
from dataclasses import dataclass
from pathlib import Path

from drivers.messages import MakerKey
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
    PUBLIC_KEY,
    SIGNATURE,
    check_hardware,
    check_size,
    check_u32,
    device_bytes,
    is_signed,
    signature_of,
)

_LABEL = b"TSL/1 maker"
FIRST_LINE = b"TSL/1 maker key\n"
FIRST_GENERATION = 1
"""0 is that of the key from the factory."""
_FIELDS = {"class": str, "hardware": str, "generation": int, "key": str, "signature": str}


@dataclass(frozen=True, slots=True)
class SignedMakerKey:
    """A maker's public key for the devices of one class and hardware. The constructor checks sizes,
    `signed_by` the signature."""

    device_class: DeviceClass
    hardware: str
    generation: int
    key: bytes
    signature: bytes

    def __post_init__(self) -> None:
        check_hardware(self.hardware)
        check_u32("generation", self.generation, FIRST_GENERATION)
        check_size("key", self.key, PUBLIC_KEY)
        check_size("signature", self.signature, SIGNATURE)

    @property
    def action(self) -> MakerKey:
        """The action that brings the key to a device."""
        return MakerKey(self.generation, self.key, self.signature)

    def signed_by(self, root: bytes) -> bool:
        """Whether the root key with this public half of 32 bytes signed it."""
        content = signed_bytes(self.device_class, self.hardware, self.generation, self.key)
        return is_signed(root, self.signature, content)


def signed_bytes(device_class: int, hardware: str, generation: int, key: bytes) -> bytes:
    """The bytes of a maker's key that the root key signs."""
    return _LABEL + device_bytes(device_class, hardware) + struct.pack("<I", generation) + key


def sign_maker_key(
    key: bytes, device_class: DeviceClass, hardware: str, generation: int, root: bytes
) -> SignedMakerKey:
    """Signs a maker's public key with the private root key, both of 32 bytes. Raises ValueError for a
    generation or hardware that is not allowed."""
    check_hardware(hardware)
    check_u32("generation", generation, FIRST_GENERATION)
    signature = signature_of(root, signed_bytes(device_class, hardware, generation, key))
    return SignedMakerKey(device_class, hardware, generation, key, signature)


def read_maker_key(path: Path) -> SignedMakerKey:
    """Reads a file. Raises SignedFileFault for one that is not a maker's key, or is unsigned. Does not check
    who signed it."""
    try:
        return parse(read_content(path))
    except ValueError as error:
        raise SignedFileFault(f"{path}: {error}") from error


def parse(content: bytes) -> SignedMakerKey:
    """Parses the content of a file. Raises ValueError."""
    line, rest = split(content, FIRST_LINE, "a maker's key")
    if rest:
        raise ValueError(f"{len(rest)} bytes follow its second line: allowed are none")
    stated = read_statement(line, _FIELDS)
    return SignedMakerKey(
        CLASSES[stated["class"]],
        stated["hardware"],
        stated["generation"],
        bytes_of(stated, "key"),
        bytes_of(stated, "signature"),
    )


def serialize(signed: SignedMakerKey) -> bytes:
    """The content of the file."""
    stated = {
        "class": signed.device_class.name.lower(),
        "hardware": signed.hardware,
        "generation": signed.generation,
        "key": signed.key.hex(),
        "signature": signed.signature.hex(),
    }
    return header(FIRST_LINE, stated)
