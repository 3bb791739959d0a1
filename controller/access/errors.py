"""Errors of sign-in and of changes to accounts."""

from pathlib import Path


class AccessError(Exception):
    """The request is not possible. The text says why, and what is allowed."""


class AccountsUnusable(AccessError):
    """Nobody can sign in: the file of accounts cannot be read or written. A person must repair the computer.
    `why` does not name the file, so that it may be shown to anyone."""

    def __init__(self, path: Path, why: object) -> None:
        super().__init__(f"accounts {path} cannot be used: {why}")
        self.why = str(why)


class HashingFailed(AccountsUnusable):
    """Passwords and PINs cannot be checked or set now; nothing was checked and nothing is counted."""

    def __init__(self, why: str) -> None:
        AccessError.__init__(self, f"passwords and PINs cannot be checked: {why}")
        self.why = why


class WrongSecret(AccessError):
    """Name and secret do not match. The text does not say which of them is wrong."""


class FloorAway(WrongSecret):
    """The secret is right, but the floor has been away for so long that this account must not sign in."""


class TokenRefused(AccessError):
    """The token must not be used. The text says why."""


class LockedOut(AccessError):
    """Too many failures. Further attempts are refused for `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many failures: locked for {duration_text(seconds)}")
        self.seconds = seconds


class TooOften(AccessError):
    """Too many attempts by one party. The next one is possible in `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many attempts: again in {duration_text(seconds)}")
        self.seconds = seconds


def duration_text(seconds: int) -> str:
    """A duration in words: seconds below a minute, else minutes, rounded up."""
    if seconds < 60:
        return f"{seconds} s"
    minutes = -(-seconds // 60)
    return f"{minutes} minute{'s' * (minutes > 1)}"
