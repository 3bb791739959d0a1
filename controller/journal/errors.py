"""What can go wrong with what is kept."""


class JournalError(Exception):
    """The journal cannot be trusted or written: the table must not start, or must stop."""


class JournalBusy(JournalError):
    """Another daemon keeps this journal."""


class JournalDamaged(JournalError):
    """A file is not as it was written: only another copy can put it right."""
