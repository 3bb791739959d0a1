"""What can go wrong at the table: an order that cannot be followed, our own bug."""


class TableError(Exception):
    """Root of all errors of this package; its text names the thing, the value and what is allowed."""


class NotAllowed(TableError):
    """A person asked for something that the table cannot do now; nothing changed."""


class NeedsSecondPerson(NotAllowed):
    """It takes another person, who says it too."""


class StalePreview(NotAllowed):
    """A decision does not carry the token of what it would do now: it had no preview, or something has
    changed since."""
