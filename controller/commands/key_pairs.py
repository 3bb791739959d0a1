"""Keys of makers: of firmware, and of this program."""

from pathlib import Path

from drivers.key_files import make_key, store_key, store_public
from drivers.update.signing import public_key


def make_key_pair(path: Path) -> None:
    """Make a key at `path`, and its public half in PATH.pub. Raises KeyFault if there already is a key."""
    private = make_key()
    store_key(private, path)
    store_public(public_key(private), path.with_name(f"{path.name}.pub"))
