"""The outcome of a check."""

from dataclasses import dataclass
from typing import Literal

CheckVerdict = Literal["pass", "fail", "not run"]


class CheckFailed(Exception):
    """The device behaved differently. The text says what was expected, for a firmware engineer."""


class NotRun(Exception):
    """The check could not be run. The text says why."""


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One frame, or other bytes, of an exchange: seconds since the check began, "sent" or "came", its
    words, and its bytes on the line in hex."""

    at: float
    way: str
    says: str
    hex: str


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """The result of one check. `why`: what was expected and did not come, or why it was not run. `sent`
    and `came` belong to the step that failed; `exchange` is everything of the check."""

    check: str
    section: str
    shows: str
    verdict: CheckVerdict
    seconds: float = 0.0
    why: str = ""
    look_for: str = ""
    sent: tuple[TraceLine, ...] = ()
    came: tuple[TraceLine, ...] = ()
    exchange: tuple[TraceLine, ...] = ()
