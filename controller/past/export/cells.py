"""Comma-separated values as RFC 4180 has them, in UTF-8; no text becomes a formula where it is opened."""

import csv
import io
from collections.abc import Sequence

from controller.money import text

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""What a text may not begin with. An apostrophe before it says that it is text; so it needs one itself."""

Cell = str | int | None


def csv_line(cells: Sequence[Cell]) -> bytes:
    """One line, with its CR and LF; None is an empty cell."""
    written = io.StringIO()
    csv.writer(written).writerow([_safe(cell) if isinstance(cell, str) else cell for cell in cells])
    return utf8(written.getvalue())


def money(cents: object) -> Cell:
    """Cents as a cell, "12.50"; empty where they are unknown."""
    return Amount(text(cents)) if isinstance(cents, int) else None


def utf8(written: str) -> bytes:
    """In UTF-8; what no text can hold stands there as an escape."""
    return written.encode("utf-8", "backslashreplace")


class Amount(str):
    """A number: it may begin with a minus."""

    __slots__ = ()


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) and not isinstance(cell, Amount) else cell
