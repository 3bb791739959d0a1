"""What can go wrong at the table: an order that cannot be followed, our own bug."""


class TableError(Exception):
    """Root of all errors of this package; its text names the thing, the value and what is allowed."""


class NotAllowed(TableError):
    """A person asked for something that the table cannot do now; nothing changed."""


class NeedsAnother(NotAllowed):
    """It takes another person, who says it too."""


class Stale(NotAllowed):
    """A word was told without the `token` of what it would do now: nobody has looked, or that is another."""

    def __init__(self, token: str) -> None:
        different = "something is different since the preview: look at it again"
        seen = different if token else "its token is missing"
        super().__init__(f"{seen} (token = {token!r}; allowed: that of a fresh preview)")
