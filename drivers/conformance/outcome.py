"""What comes of a check."""

from dataclasses import dataclass
from typing import Literal

CheckVerdict = Literal["pass", "fail", "not run"]


class CheckFailed(Exception):
    """The device did otherwise; the text says what was expected, for a firmware engineer."""


class NotRun(Exception):
    """The check could not be made; the text says why."""


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One frame, or bytes that are none, of an exchange: seconds since the check began, "sent" or "came",
    what it says and the bytes as they were on the line, in hex."""

    at: float
    way: str
    says: str
    hex: str


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One check's line of the report. `why`: what was expected and did not come, or why it was not run;
    `sent` and `came` belong to the step that failed, `exchange` is all of the check."""

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
