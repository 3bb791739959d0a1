"""The errors of the journal.

JournalError
    JournalUnconfirmed   two persons must confirm it first
    KeyUnusable          the key that signs it cannot be read or stored
    ForeignKey           the key that would sign it is not the recorded one
    ForeignCurrency      its amounts are not in the table's currency
    SealUnusable         the key that seals cards cannot be read, or does not open a card that lies face down
    JournalUnwritten     the disk refused a write
    JournalLost          a file was taken away or changed while it was open
    JournalBusy          another daemon has it open
    JournalDamaged       a file is not as it was written
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class JournalError(Exception):
    """The journal cannot be trusted or written: the table must not start, or must stop."""


class JournalUnconfirmed(JournalError):
    """Nothing shows that a whole journal is complete and of this table: play waits until two persons confirm
    it."""


class KeyUnusable(JournalError):
    """The key that signs the journal cannot be read or stored."""


class ForeignKey(JournalError):
    """The public half of the key that would sign the journal differs from the recorded one."""


class ForeignCurrency(JournalError):
    """The amounts of the journal are in another currency than the configured one."""


class SealUnusable(JournalError):
    """The key that seals cards is missing, cannot be read, or does not open a card that lies face down."""


class JournalUnwritten(JournalError):
    """The disk refused a write; it may accept the next one."""


class JournalLost(JournalError):
    """A file was deleted, moved, replaced or cut while it was open. `saved`: the file that has all rows now;
    None if they could not be saved."""

    def __init__(self, text: str, saved: Path | None = None) -> None:
        super().__init__(text)
        self.saved = saved


class JournalBusy(JournalError):
    """Another daemon has this journal open."""


class JournalDamaged(JournalError):
    """A file is not as it was written; only another copy can repair it."""


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the disk raise into JournalUnwritten."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise JournalUnwritten(f"journal {path} cannot be written: {error}") from error
