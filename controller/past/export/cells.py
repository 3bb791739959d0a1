"""Comma-separated values (RFC 4180) in UTF-8. No text becomes a formula in a spreadsheet."""

import csv
import io
from collections.abc import Sequence

from controller.currency import Currency, currency_in_use

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""A text that begins with one of these gets an apostrophe before it, which marks it as text."""

Cell = str | int | None


def csv_line(cells: Sequence[Cell]) -> bytes:
    """One line with CR and LF; None becomes an empty cell."""
    written = io.StringIO()
    csv.writer(written).writerow([_safe(cell) if isinstance(cell, str) else cell for cell in cells])
    return utf8(written.getvalue())


def money(cents: object, currency: Currency | None = None) -> Cell:
    """Minor units as a cell, "12.50"; empty if they are unknown. Without a currency, in the one in use."""
    return Amount((currency or currency_in_use()).text(cents)) if isinstance(cents, int) else None


def utf8(written: str) -> bytes:
    """Lone surrogates become escapes."""
    return written.encode("utf-8", "backslashreplace")


class Amount(str):
    """A number, which may begin with a minus."""

    __slots__ = ()


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) and not isinstance(cell, Amount) else cell
