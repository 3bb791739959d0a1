"""What the daemon says to the process that makes reports, and what that answers: one JSON object each way.

Nothing here is heavy: both ends have it.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from controller.calendar import Calendar, House, Period

MODULE = "controller.past.reports"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made; `period` None: the list of all that have rounds."""

    journal: Path
    house: House
    period: Period | None = None

    def packed(self) -> bytes:
        """As it is sent."""
        return json.dumps({**asdict(self), "journal": str(self.journal)}).encode()


@dataclass(frozen=True, slots=True)
class Made:
    """What came of it: `error` says why nothing did. `page` and `json` are text; `sheets` by name."""

    error: str = ""
    page: str = ""
    json: str = ""
    sheets: dict[str, str] | None = None

    def packed(self) -> bytes:
        """As it is sent."""
        return json.dumps(asdict(self)).encode()


def order(packed: bytes) -> Order:
    """What was sent; raises ValueError, KeyError or TypeError."""
    told: dict[str, Any] = json.loads(packed)
    calendar = told["house"].pop("calendar")
    calendar["shifts"] = tuple(calendar["shifts"])
    period = told["period"] and Period(**told["period"])
    return Order(Path(told["journal"]), House(Calendar(**calendar), **told["house"]), period)


def made(packed: bytes) -> Made:
    """What was answered; raises ValueError or TypeError."""
    return Made(**json.loads(packed))
