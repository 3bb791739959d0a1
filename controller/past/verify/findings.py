"""Findings: what is wrong with a journal, a sentence each."""

from dataclasses import dataclass, field
from typing import Literal

About = Literal[
    "damage",
    "chain",
    "checkpoint",
    "meter",
    "money",
    "claim",
    "seal",
    "floor",
    "mirror",
    "retention",
    "expected",
]
MOST = 100
"""Findings kept for each part; more would add nothing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`text`: a sentence that names file and row. `row` 0: it is about the whole file."""

    about: About
    file: str
    row: int
    text: str


@dataclass(slots=True)
class Findings:
    """The findings about one file; `more`: how many were not kept."""

    file: str
    found: list[Finding] = field(default_factory=list)
    more: int = 0

    def add(self, about: About, row: int, what: str) -> None:
        """`what`: the sentence without its beginning, which names the file and the row."""
        at = f"journal {self.file}: row {row}" if row else f"journal {self.file}"
        self.add_text(about, row, f"{at}: {what}")

    def add_text(self, about: About, row: int, text: str) -> None:
        """`text`: a whole sentence."""
        if len(self.found) < MOST:
            self.found.append(Finding(about, self.file, row, text))
        else:
            self.more += 1
