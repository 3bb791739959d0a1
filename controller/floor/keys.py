"""The key with which a floor signs what it says to tables, which pin its public half."""

from pathlib import Path

from controller.journal.signing import Signer
from drivers.key_files import KeyFault, make_key, read_key, store_key


def floor_signer(path: Path) -> Signer:
    """The signer with the key in the file at `path`. Raises KeyFault."""
    if not path.exists():
        raise KeyFault(f"key {path} is missing: tableside floor prepare makes it")
    return Signer(read_key(path))


def prepared_signer(path: Path) -> Signer:
    """The same; a missing key is made. Raises KeyFault."""
    if not path.exists():
        store_key(make_key(), path)
    return floor_signer(path)
