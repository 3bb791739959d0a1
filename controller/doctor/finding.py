"""What one check has found."""

from dataclasses import dataclass
from typing import Final, Literal

AS_ROOT: Final = "Run this command again with sudo."
Status = Literal["ok", "warning", "fault", "not checked"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`check`: what was looked at. `text`: what was seen, or why nothing could be seen. `todo`: what to do,
    in a sentence; empty if there is nothing to do."""

    check: str
    status: Status
    text: str
    todo: str = ""
