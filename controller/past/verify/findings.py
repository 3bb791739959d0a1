"""What is wrong with a journal, a sentence each."""

from dataclasses import dataclass, field
from typing import Literal

About = Literal["damage", "chain", "checkpoint", "meter", "money", "claim", "mirror", "retention", "expected"]
MOST = 100
"""Findings that a part of a history tells; where all is wrong, more would tell nothing more."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`text` is a sentence that names file and row; `row` 0: it is about the file."""

    about: About
    file: str
    row: int
    text: str


@dataclass(slots=True)
class Findings:
    """Those about one file; `more` were not kept."""

    file: str
    found: list[Finding] = field(default_factory=list)
    more: int = 0

    def add(self, about: About, row: int, what: str) -> None:
        """`what` follows the name of the file and the number of the row."""
        at = f"journal {self.file}: row {row}" if row else f"journal {self.file}"
        self.add_text(about, row, f"{at}: {what}")

    def add_text(self, about: About, row: int, text: str) -> None:
        """A whole sentence."""
        if len(self.found) < MOST:
            self.found.append(Finding(about, self.file, row, text))
        else:
            self.more += 1
