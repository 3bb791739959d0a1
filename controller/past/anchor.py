"""Anchors: rows and hashes that are kept outside of the journal, on slips, reports and in notebooks.

The holder of the journal's key can write another history and sign it. What was printed and signed on paper
cannot be exchanged. So a journal that has every anchored hash is the one from which the papers were made.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

ALLOWED = "ROW:HASH, a hash of 64 hexadecimal digits"
_ANCHOR = re.compile(r"([1-9][0-9]{0,17}):([0-9a-f]{64})", re.IGNORECASE | re.ASCII)
_NOTE = "#"
"""What follows it in a line of a file is a note of a person."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A row of the journal and its hash."""

    row: int
    hash: bytes

    @classmethod
    def parse(cls, written: str) -> Self:
        """From "ROW:HASH". Spaces do not count, because papers show digits in groups. Raises ValueError."""
        found = _ANCHOR.fullmatch("".join(written.split()))
        if not found:
            raise ValueError(f"{written!r} is not allowed; allowed: {ALLOWED}")
        return cls(int(found[1]), bytes.fromhex(found[2]))

    def __str__(self) -> str:
        return f"{self.row}:{self.hash.hex()}"


def read_anchors(path: Path) -> list[Anchor]:
    """The anchors in a file, one a line. Raises OSError, and ValueError for a line that is not one."""
    return list(_parse_lines(path.read_text("utf-8", errors="replace")))


def _parse_lines(text: str) -> Iterator[Anchor]:
    for number, line in enumerate(text.splitlines(), 1):
        written = line.partition(_NOTE)[0].strip()
        if written:
            try:
                yield Anchor.parse(written)
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from None
