"""Keys that the dealer may press: for which seats, and for which amounts."""

from dataclasses import dataclass

WHOLE_TABLE = 0
"""Where a seat is named: none of them."""


@dataclass(frozen=True, slots=True)
class AmountRange:
    """What a key may be for, in cents: any multiple of `step` from `least` to `most`.

    `usual`: what it is for where no amount comes with it; None: as much as nobody knows. `most` None: no end.
    """

    usual: int | None
    least: int
    most: int | None
    step: int


@dataclass(frozen=True, slots=True)
class KeyPress:
    """A key that is taken now, for any of these seats. Which seat comes with `close` makes no difference.

    `amount` None: it comes without one, or one would change nothing.
    """

    action: str
    seats: tuple[int, ...] = (WHOLE_TABLE,)
    amount: AmountRange | None = None


CLOSE = (KeyPress("close"),)
"""Ends betting and windows."""
