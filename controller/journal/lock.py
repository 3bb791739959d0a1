"""The lock that a daemon holds while it has a journal open."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.journal import names
from controller.journal.errors import JournalBusy, JournalError


def lock(path: Path) -> int:
    """Lock the journal at `path`, and return the descriptor whose closing unlocks it. Raises JournalBusy, and
    JournalError if the lock cannot be created."""
    name = names.lock(path)
    try:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, names.OWNER_ONLY)
    except OSError as error:
        raise JournalError(f"journal {path} is not writable: {error.strerror} ({name})") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise JournalBusy(f"journal {path} is in use by another daemon ({name} is locked)") from None
    return descriptor


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """No daemon opens the journal meanwhile. A journal that no daemon ever opened has no lock, and gets none:
    it would belong to the user of the command. Raises JournalBusy, JournalError."""
    if not names.lock(path).exists():
        yield
        return
    descriptor = lock(path)
    try:
        yield
    finally:
        os.close(descriptor)
