"""The signature of a manifest by the release key.

The manifest lies beside the files that it lists, so whoever can change a file can make another manifest. The
release key is not on any table. Its signature shows that the maker of the program listed these files. The
public key lies beside the table's configuration, where only root can change it.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.selftest.files import SIGNATURE_SUFFIX
from controller.selftest.manifest import Manifest, ManifestError

_PUBLIC = re.compile(r"[0-9a-f]{64}\n?", re.ASCII | re.IGNORECASE)
_SIGNED = re.compile(r"([0-9a-f]{64}) ([0-9a-f]{128})\n?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReleaseSignature:
    """`signature`: 64 bytes, made with the key whose public half is `public`."""

    public: bytes
    signature: bytes

    @classmethod
    def of(cls, manifest: Manifest, key: bytes) -> Self:
        """Sign with the private key."""
        private = Ed25519PrivateKey.from_private_bytes(key)
        return cls(private.public_key().public_bytes_raw(), private.sign(_statement(manifest)))

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """The signature in the file at `path`; None if there is no such file. Raises ManifestError."""
        found = _content(path, "signature")
        if found is None:
            return None
        if not (parts := _SIGNED.fullmatch(found)):
            raise ManifestError(f"signature {path} is none, or damaged: tableside manifest --sign makes one")
        return cls(bytes.fromhex(parts[1]), bytes.fromhex(parts[2]))

    def text(self) -> str:
        """The content of its file."""
        return f"{self.public.hex()} {self.signature.hex()}\n"

    def is_of(self, manifest: Manifest) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(self.signature, _statement(manifest))
        except (InvalidSignature, ValueError):
            return False
        return True


def signature_path(manifest: Path) -> Path:
    """The path of the signature: beside the manifest at `manifest`."""
    return manifest.with_name(manifest.name + SIGNATURE_SUFFIX)


def read_release_key(path: Path) -> bytes | None:
    """The public key in the file at `path`; None if there is no such file. Raises ManifestError."""
    text = _content(path, "release key")
    if text is None:
        return None
    if not _PUBLIC.fullmatch(text):
        raise ManifestError(
            f"release key {path} holds {len(text)} characters; allowed: 64 hexadecimal digits"
        )
    return bytes.fromhex(text)


def check_signature(path: Path, manifest: Manifest, release: bytes | None) -> str:
    """The public key that signed the manifest at `path`, in hex; empty if it is not signed. Raises
    ManifestError for a wrong signature, and, if the `release` key is known, for any but its own."""
    place = signature_path(path)
    signed = ReleaseSignature.read(place)
    if signed is None:
        if release:
            raise ManifestError(
                f"manifest {path} is not signed: {place} is missing; it must be signed by the release key "
                f"{release.hex()}"
            )
        return ""
    if release and signed.public != release:
        raise ManifestError(
            f"manifest {path} is signed by {signed.public.hex()}; it must be signed by the release key "
            f"{release.hex()}"
        )
    if not signed.is_of(manifest):
        raise ManifestError(f"manifest {path} is not the one that was signed: {place} belongs to another one")
    return signed.public.hex()


def _content(path: Path, what: str) -> str | None:
    try:
        return path.read_text("ascii", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ManifestError(f"{what} {path} cannot be read: {error.strerror}") from error


def _statement(manifest: Manifest) -> bytes:
    return f"tableside manifest 1 {manifest.version} {manifest.digest}".encode()
