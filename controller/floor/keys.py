"""The key with which a floor signs what it says to tables, which pin its public half."""

from pathlib import Path
from typing import Final

from controller.journal.signing import Signer
from drivers.key_files import KeyFault, credential, make_key, read_key, store_key

CREDENTIAL: Final = "floor.key"
"""The name of the key as a credential of systemd."""


def floor_signer(path: Path) -> Signer:
    """The signer with the key of systemd's credential `floor.key` if there is one, else with that in the file
    at `path`. Raises KeyFault."""
    chosen = credential(CREDENTIAL) or path
    if not chosen.exists():
        raise KeyFault(f"key {path} is missing: tableside floor prepare makes it")
    return Signer(read_key(chosen))


def prepared_signer(path: Path) -> Signer:
    """The same; a missing key is made. Raises KeyFault."""
    if not path.exists():
        store_key(make_key(), path)
    return floor_signer(path)
