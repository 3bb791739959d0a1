"""Why somebody is not let in, or an account is not changed."""

from pathlib import Path


class AccessError(Exception):
    """What was asked for cannot be; the text says why, and what is allowed."""


class AccountsUnusable(AccessError):
    """The file of accounts cannot be read or written now: a person has to look after the computer. `why` does
    not name the file, so anyone may read it."""

    def __init__(self, path: Path, why: object) -> None:
        super().__init__(f"accounts {path} cannot be used: {why}")
        self.why = str(why)


class WrongSecret(AccessError):
    """Name and secret do not go together; nobody says which of them is wrong."""


class LockedOut(AccessError):
    """Too many failures: nothing is looked at for `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many failures: locked for {duration_text(seconds)}")
        self.seconds = seconds


class TooOften(AccessError):
    """So many attempts came from one place that others wait; again in `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many attempts: again in {duration_text(seconds)}")
        self.seconds = seconds


def duration_text(seconds: int) -> str:
    """Seconds as people say them."""
    if seconds < 60:
        return f"{seconds} s"
    minutes = -(-seconds // 60)
    return f"{minutes} minute{'s' * (minutes > 1)}"
