"""What the daemon says to the process that makes reports, and what that answers: one JSON object each way.

Nothing here is heavy: both ends have it.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from controller.calendar import Calendar, Period, ReportSettings

MODULE = "controller.past.reports"


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """What is to be made; `period` None: the list of all that have rounds."""

    journal: Path
    house: ReportSettings
    period: Period | None = None

    def encode(self) -> bytes:
        """As it is sent."""
        return json.dumps({**asdict(self), "journal": str(self.journal)}).encode()


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """What came of it: `error` says why nothing did. `page` and `json` are text; `sheets` by name."""

    error: str = ""
    page: str = ""
    json: str = ""
    sheets: dict[str, str] | None = None

    def encode(self) -> bytes:
        """As it is sent."""
        return json.dumps(asdict(self)).encode()


def decode_order(packed: bytes) -> ReportOrder:
    """What was sent; raises ValueError, KeyError or TypeError."""
    fields: dict[str, Any] = json.loads(packed)
    calendar = fields["house"].pop("calendar")
    calendar["shifts"] = tuple(calendar["shifts"])
    period = fields["period"] and Period(**fields["period"])
    return ReportOrder(
        Path(fields["journal"]), ReportSettings(Calendar(**calendar), **fields["house"]), period
    )


def decode_answer(packed: bytes) -> ReportAnswer:
    """What was answered; raises ValueError or TypeError."""
    return ReportAnswer(**json.loads(packed))
