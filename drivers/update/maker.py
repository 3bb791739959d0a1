"""A maker's public key as a file: 64 hexadecimal digits and a line feed. It is no secret."""

from pathlib import Path

from drivers.provisioning import KeyFault, parse_key, written_key


def read_public(path: Path) -> bytes:
    """The 32 bytes in the file at `path`. Raises KeyFault."""
    try:
        content = path.read_text("ascii", errors="replace")
    except OSError as error:
        raise KeyFault(f"public key {path} cannot be read: {error.strerror}") from error
    return parse_key(content, f"public key {path}")


def store_public(key: bytes, path: Path) -> None:
    """Keeps a public key at `path`. Raises KeyFault."""
    try:
        path.write_text(written_key(key), "ascii")
    except OSError as error:
        raise KeyFault(f"public key {path} cannot be kept: {error.strerror}") from error
