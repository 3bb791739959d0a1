"""What a worker process has to know of the floor."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from controller.calendar import Calendar
from controller.floor.settings import FloorConfig
from controller.floor.store import FloorArchive

SETTINGS: Final = "settings"
"""The field of a question with the settings of the floor."""


@dataclass(frozen=True, slots=True)
class PastSettings:
    """Where the floor stores what tables sent, the tables of each pit, and the gaming days. `table_zone`: the
    time zone of the table that a question is about; empty for a question about several tables, or if the
    table names none."""

    stores: Path
    pits: Mapping[str, tuple[str, ...]]
    calendar: Calendar
    table_zone: str = ""

    @property
    def clock(self) -> Calendar:
        """The gaming days of the floor, with times in the zone of the table."""
        return replace(self.calendar, zone=self.table_zone or self.calendar.zone)

    @classmethod
    def of(cls, config: FloorConfig) -> Self:
        return cls(Path(config.stores), config.pits, config.calendar())

    @property
    def archive(self) -> FloorArchive:
        return FloorArchive(self.stores)

    def encode(self) -> str:
        calendar = self.calendar
        times = {"day_begins": calendar.day_begins, "shifts": calendar.shifts, "zone": calendar.zone}
        fields = {"stores": str(self.stores), "pits": dict(self.pits), "calendar": times}
        return json.dumps({**fields, "table_zone": self.table_zone})

    @classmethod
    def decode(cls, text: str) -> Self:
        found = json.loads(text)
        pits = {pit: tuple(tables) for pit, tables in found["pits"].items()}
        times = found["calendar"]
        calendar = Calendar(times["day_begins"], tuple(times["shifts"]), times["zone"])
        return cls(Path(found["stores"]), pits, calendar, found["table_zone"])
