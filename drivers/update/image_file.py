"""An update as a file: two lines of text that a person can read, then the image as it is.

TSL/1 firmware update
{"class": "shoe", "version": 7, "size": 400, "sha256": HEX, "signature": HEX}
...image...
"""

import json
from dataclasses import dataclass
from pathlib import Path

from drivers.protocol.codes import DeviceClass
from drivers.update.signed import Manifest

FIRST_LINE = b"TSL/1 firmware update\n"
LONGEST_LINE = 1000
CLASSES = {member.name.lower(): member for member in DeviceClass}
_FIELDS = {"class": str, "version": int, "size": int, "sha256": str, "signature": str}


class ImageFault(Exception):
    """A file is no update, not this device's, or damaged; the text names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Update:
    """An image and what its maker says of it; they fit."""

    manifest: Manifest
    image: bytes

    def __post_init__(self) -> None:
        if not self.manifest.fits(self.image):
            raise ValueError("the image has another SHA-256 than the manifest: it is damaged")


def read_update(path: Path) -> Update:
    """The update in the file at `path`. Raises ImageFault for a file that is none, is unsigned, truncated or
    damaged; who signed it is not looked at."""
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise ImageFault(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ImageFault(f"{path}: {error}") from error


def parse(content: bytes) -> Update:
    """The update that a file holds. Raises ValueError."""
    if not content.startswith(FIRST_LINE):
        raise ValueError(f"no firmware update: it must begin with {FIRST_LINE.decode().strip()!r}")
    line, end, image = content[len(FIRST_LINE) :].partition(b"\n")
    if not end or len(line) > LONGEST_LINE:
        raise ValueError(f"its second line must end within {LONGEST_LINE} bytes")
    manifest = _manifest(line)
    if len(image) != manifest.size:
        raise ValueError(f"{len(image)} bytes of image, the manifest says {manifest.size}: it is not whole")
    return Update(manifest, image)


def written(update: Update) -> bytes:
    """As a file holds it."""
    manifest = update.manifest
    told = {
        "class": manifest.device_class.name.lower(),
        "version": manifest.version,
        "size": manifest.size,
        "sha256": manifest.sha256.hex(),
        "signature": manifest.signature.hex(),
    }
    return FIRST_LINE + json.dumps(told).encode() + b"\n" + update.image


def _manifest(line: bytes) -> Manifest:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its second line is no JSON: {error}") from error
    if not isinstance(told, dict) or not told.get("signature"):
        raise ValueError("it is not signed")
    for name, kind in _FIELDS.items():
        if type(told.get(name)) is not kind:
            raise ValueError(f"{name} = {told.get(name)!r}: must be {_WORDS[kind]}")
    if told["class"] not in CLASSES:
        raise ValueError(f"class = {told['class']!r}: allowed are {', '.join(CLASSES)}")
    hashed, signature = (_bytes(name, told[name]) for name in ("sha256", "signature"))
    return Manifest(CLASSES[told["class"]], told["version"], told["size"], hashed, signature)


def _bytes(name: str, digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise ValueError(f"{name} = {digits!r}: must be hexadecimal digits") from error


_WORDS = {str: "text", int: "a whole number"}
