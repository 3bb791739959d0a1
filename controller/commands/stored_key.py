"""The rule for the keys of which `tableside device provision` shows a public half: one that is there
stays."""

from pathlib import Path

from controller.commands.credentials import encrypt
from controller.commands.journal_key import KeyOrder, store_for_service
from drivers.key_files import make_key, read_key


def stored_key(name: str, path: Path, order: KeyOrder) -> tuple[bytes, bool]:
    """The key in the file `path`, or as the credential `name`, and whether it was stored now: the key that
    is given, or a new one; without `replace`, a key that is there stays.

    Raises KeyFault or OSError if a key cannot be used or written.
    """
    held = path.exists() and not order.encrypted
    new = not held or order.replace or order.given is not None
    key = read_key(order.given) if order.given else make_key() if new else read_key(path)
    if order.encrypted:
        encrypt(name, key, order.encrypted, replace=order.replace)
    elif new:
        store_for_service(key, path, replace=order.replace)
    return key, new
