"""What a worker process has to know of the floor."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from controller.calendar import Calendar
from controller.floor.settings import FloorConfig
from controller.floor.store import FloorArchive

SETTINGS: Final = "settings"
"""The field of a question with the settings of the floor."""


@dataclass(frozen=True, slots=True)
class PastSettings:
    """Where the floor stores what tables sent, the tables of each pit, and the gaming days."""

    stores: Path
    pits: Mapping[str, tuple[str, ...]]
    calendar: Calendar

    @classmethod
    def of(cls, config: FloorConfig) -> Self:
        return cls(Path(config.stores), config.pits, config.calendar())

    @property
    def archive(self) -> FloorArchive:
        return FloorArchive(self.stores)

    def encode(self) -> str:
        calendar = self.calendar
        times = {"day_begins": calendar.day_begins, "shifts": calendar.shifts, "zone": calendar.zone}
        return json.dumps({"stores": str(self.stores), "pits": dict(self.pits), "calendar": times})

    @classmethod
    def decode(cls, text: str) -> Self:
        found = json.loads(text)
        pits = {pit: tuple(tables) for pit, tables in found["pits"].items()}
        times = found["calendar"]
        calendar = Calendar(times["day_begins"], tuple(times["shifts"]), times["zone"])
        return cls(Path(found["stores"]), pits, calendar)
