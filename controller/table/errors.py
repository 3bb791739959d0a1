"""What can go wrong at the table: the journal's trouble, an order that cannot be followed, our own bug."""


class TableError(Exception):
    """Root of all errors of this package; its text names the thing, the value and what is allowed."""


class JournalError(TableError):
    """The journal cannot be trusted or written: the table must not start, or must stop."""


class JournalBusy(JournalError):
    """Another daemon keeps this journal."""


class NotAllowed(TableError):
    """A person asked for something that the table cannot do now; nothing changed."""
