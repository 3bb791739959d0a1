"""Keys as encrypted credentials of systemd."""

import subprocess
from pathlib import Path

from drivers.key_files import KeyFault, key_text, parse_key


def encrypt(name: str, key: bytes, path: Path, *, replace: bool, suffix: str = "key") -> None:
    """Store the key as the credential NAME.key, or with another suffix. Raises KeyFault if `path` exists and
    `replace` is false, or if systemd-creds is missing or fails."""
    if path.exists() and not replace:
        raise KeyFault(f"{path} already has a key: --replace makes it useless, in the device too")
    _systemd_creds("encrypt", f"{name}.{suffix}", "-", str(path), given=key_text(key))


def decrypt(name: str, path: Path) -> bytes:
    """The key in the credential NAME.key. Raises KeyFault if systemd-creds is missing or fails."""
    return parse_key(_systemd_creds("decrypt", f"{name}.key", str(path), "-"), f"credential {path}")


def _systemd_creds(what: str, name: str, source: str, target: str, *, given: str = "") -> str:
    command = ["systemd-creds", what, f"--name={name}", source, target]
    try:
        done = subprocess.run(command, input=given.encode(), check=True, capture_output=True)
    except FileNotFoundError as error:
        raise KeyFault("systemd-creds is missing: it comes with systemd 250 and later") from error
    except subprocess.CalledProcessError as error:
        raise KeyFault(f"systemd-creds: {error.stderr.decode(errors='replace').strip()}") from error
    return done.stdout.decode("ascii", errors="replace")
