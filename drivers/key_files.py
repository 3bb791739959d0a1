"""Keys as files of 64 hexadecimal digits and a line feed: keys of devices, which are secret, and public keys
of makers.

Only its owner may read the file of a secret key. Device and controller have the same key.
"""

import os
import re
import secrets
import stat
from hashlib import sha256
from pathlib import Path

from drivers.link.key_schedule import KEY, NO_KEY

MODE = 0o600
OTHERS_MASK = 0o077
CREDENTIALS = "CREDENTIALS_DIRECTORY"
"""The variable that names the folder of the service's systemd credentials."""
ABSENT = b"none"
"""The content of a credential that stands in for a file that does not exist. A unit would not start without
it."""
FOLDER = "keys"
"""The name of a whole folder of keys in the unit. systemd puts it before the names of the files."""
_KEY_TEXT = re.compile(rf"[0-9a-f]{{{2 * KEY}}}\n?", re.ASCII | re.IGNORECASE)


class KeyFault(Exception):
    """A key cannot be used or stored. The text names the file and says what to do."""


def device_key(name: str, path: Path) -> bytes:
    """The key of a device: from systemd's credential NAME.key if there is one, else from the file at
    `path`. Raises KeyFault."""
    return read_key(credential(f"{name}.key") or path)


def credential(name: str) -> Path | None:
    """The path of a credential, or of a file in the credential folder of keys. None if there is none.
    Raises OSError."""
    folder = os.environ.get(CREDENTIALS)
    places = (Path(folder) / name, Path(folder) / f"{FOLDER}_{name}") if folder else ()
    return next((place for place in places if place.exists() and place.read_bytes() != ABSENT), None)


def readable_by_others(path: Path, mode: int) -> bool:
    """Whether a file with this mode is readable or writable by others.

    The group's bits of a credential are the mask of its access list, in which systemd puts the unit's user
    only.
    """
    folder = os.environ.get(CREDENTIALS)
    return bool(
        mode & (OTHERS_MASK & ~stat.S_IRWXG if folder and path.parent == Path(folder) else OTHERS_MASK)
    )


def read_key(path: Path) -> bytes:
    """The 32 bytes in the file at `path`. Raises KeyFault."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        text = path.read_text("ascii", errors="replace")
    except FileNotFoundError as error:
        raise KeyFault(f"key {path} is missing: tableside device provision makes it") from error
    except OSError as error:
        raise KeyFault(f"key {path} cannot be read: {error.strerror}") from error
    if readable_by_others(path, mode):
        raise KeyFault(f"key {path} has mode {mode:04o}: others can read it; chmod 600, or provision anew")
    return parse_key(text, f"key {path}")


def parse_key(text: str, what: str) -> bytes:
    """The 32 bytes of a key in hexadecimal. Raises KeyFault, whose text does not repeat it."""
    if not _KEY_TEXT.fullmatch(text):
        raise KeyFault(f"{what} holds {len(text)} characters: it must be {2 * KEY} hexadecimal digits")
    key = bytes.fromhex(text)
    if key == NO_KEY:
        raise KeyFault(f"{what} is all zeros: this is not a key")
    return key


def make_key() -> bytes:
    return secrets.token_bytes(KEY)


def store_key(key: bytes, path: Path, *, replace: bool = False) -> None:
    """Stores a key, on disk when this returns. Raises KeyFault if there already is one."""
    fresh = path.with_name(path.name + ".new")
    try:
        if path.exists() and not replace:
            raise KeyFault(f"{path} already has a key: --replace makes it useless, in the device too")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        _write(fresh, key_text(key).encode())
        fresh.replace(path)
        _sync(path.parent)
    except OSError as error:
        raise KeyFault(f"key {path} cannot be kept: {error.strerror}") from error


def key_text(key: bytes) -> str:
    """The content of a key file."""
    return key.hex() + "\n"


def fingerprint(key: bytes) -> str:
    """Eight digits by which two people can compare a key without revealing it."""
    return sha256(b"TSL/1 fingerprint" + key).hexdigest()[:8]


def _write(path: Path, data: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
    try:
        os.write(file, data)
        os.fsync(file)
    finally:
        os.close(file)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_public(path: Path) -> bytes:
    """The 32 bytes in the file at `path`. Raises KeyFault."""
    try:
        content = path.read_text("ascii", errors="replace")
    except OSError as error:
        raise KeyFault(f"public key {path} cannot be read: {error.strerror}") from error
    return parse_key(content, f"public key {path}")


def store_public(key: bytes, path: Path) -> None:
    """Stores a public key at `path`. Raises KeyFault."""
    try:
        path.write_text(key_text(key), "ascii")
    except OSError as error:
        raise KeyFault(f"public key {path} cannot be kept: {error.strerror}") from error
