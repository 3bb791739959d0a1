"""The order of a report and the answer to it, between the daemon and a worker process. Both sides import
this, so it imports nothing else of the reports."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from controller.calendar import Calendar, Period, ReportSettings
from controller.languages import ENGLISH


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """`period` None: the list of all periods that have rounds. `language`: the code of the language of the
    page; the other forms are in English."""

    journal: Path
    house: ReportSettings
    period: Period | None = None
    language: str = ENGLISH.code

    def encode(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {**asdict(self), "journal": str(self.journal)}


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """`error`: why there is no report. `page` (HTML) and `json` are text; `sheets`: CSV by name."""

    error: str = ""
    page: str = ""
    json: str = ""
    sheets: dict[str, str] | None = None

    def encode(self) -> bytes:
        return json.dumps(asdict(self)).encode()


def decode_order(fields: Mapping[str, Any]) -> ReportOrder:
    """Raises ValueError, KeyError or TypeError."""
    house = dict(fields["house"])
    calendar = house.pop("calendar")
    calendar = Calendar(**{**calendar, "shifts": tuple(calendar["shifts"])})
    period = Period(**fields["period"]) if fields["period"] else None
    settings = ReportSettings(calendar, **house)
    return ReportOrder(Path(fields["journal"]), settings, period, fields["language"])


def decode_answer(encoded: bytes) -> ReportAnswer:
    """Raises ValueError or TypeError."""
    return ReportAnswer(**json.loads(encoded))
