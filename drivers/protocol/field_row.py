"""A row of the table of all fields."""

from typing import NamedTuple


class FieldRow(NamedTuple):
    """One field of a message of section 14. A `member` is one of the numbered messages that the message
    holds, and its name is that of the message in it."""

    message: str
    number: int
    name: str
    kind: str
    """u32, u53, i32, bool, text, card, bytes, fixed or member."""
    size: int = 0
    """In bytes: exactly so many for `fixed`, at most so many for `text` and `bytes`; 0 for all others."""
