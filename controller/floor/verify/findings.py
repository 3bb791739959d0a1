"""What is wrong with what the floor stores, a sentence each."""

from dataclasses import dataclass, field
from typing import Literal

from controller.floor.day_file import JournalName

About = Literal["damage", "chain", "signature", "head", "anchor", "derived", "journal", "log", "progressive"]
MOST = 100
"""Findings kept for each journal; more would add nothing."""


@dataclass(frozen=True, slots=True)
class FloorFinding:
    """`day`: the gaming day of the file, empty for several; `table`, `epoch`: the journal, empty for a log of
    the floor's own; `row`: 0 for the whole. `text`: a sentence that names all of them."""

    about: About
    day: str
    table: str
    epoch: str
    row: int
    text: str


@dataclass(slots=True)
class JournalFindings:
    """The findings about one journal; `more`: how many were not kept."""

    name: JournalName
    found: list[FloorFinding] = field(default_factory=list)
    more: int = 0

    def add(self, about: About, day: str, row: int, what: str) -> None:
        """`what`: the sentence without its beginning, which names day, journal and row."""
        place = f"{day}: {self.name.table} {self.name.epoch}"
        at = f"{place}, row {row}" if row else place
        if len(self.found) == MOST:
            self.more += 1
            return
        self.found.append(FloorFinding(about, day, self.name.table, self.name.epoch, row, f"{at}: {what}"))
