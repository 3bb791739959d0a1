"""What can go wrong with what is kept."""

from pathlib import Path


class JournalError(Exception):
    """The journal cannot be trusted or written: the table must not start, or must stop."""


class JournalUnconfirmed(JournalError):
    """A whole journal cannot prove that it is all of what was written: two persons confirm it, or nobody
    plays."""


class KeyUnusable(JournalError):
    """The key that signs the journal cannot be read or kept."""


class ForeignKey(JournalError):
    """The key that would sign the journal is not the one whose public half is written down."""


class JournalUnwritten(JournalError):
    """The disk did not take a write; it may take the next one."""


class JournalLost(JournalError):
    """A file was deleted, moved, replaced or cut while it was open. `saved`: where all rows are now; None:
    they could not be saved."""

    def __init__(self, text: str, saved: Path | None = None) -> None:
        super().__init__(text)
        self.saved = saved


class JournalBusy(JournalError):
    """Another daemon keeps this journal."""


class JournalDamaged(JournalError):
    """A file is not as it was written: only another copy can put it right."""
