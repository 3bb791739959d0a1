"""What can go wrong with what is kept."""

from pathlib import Path


class JournalError(Exception):
    """The journal cannot be trusted or written: the table must not start, or must stop."""


class JournalUnconfirmed(JournalError):
    """A whole journal cannot prove that it is complete and ours: play waits until two persons confirm it."""


class KeyUnusable(JournalError):
    """The key that signs the journal cannot be read or stored."""


class ForeignKey(JournalError):
    """The public half of the key that would sign the journal differs from the recorded one."""


class JournalUnwritten(JournalError):
    """The disk refused a write; it may accept the next one."""


class JournalLost(JournalError):
    """A file was deleted, moved, replaced or cut while it was open. `saved`: where all rows are now; None if
    they could not be saved."""

    def __init__(self, text: str, saved: Path | None = None) -> None:
        super().__init__(text)
        self.saved = saved


class JournalBusy(JournalError):
    """Another daemon keeps this journal."""


class JournalDamaged(JournalError):
    """A file is not as it was written: only another copy can put it right."""
