"""Keys that the dealer may press: for which seats and for which amounts."""

from dataclasses import dataclass

WHOLE_TABLE = 0
"""The seat of a key that is not for one seat."""


@dataclass(frozen=True, slots=True)
class AmountRange:
    """The amounts that a key may have, in cents: multiples of `step` from `least` to `most`.

    `usual` is the amount of a key without one; None: unknown. `most` None: no limit.
    """

    usual: int | None
    least: int
    most: int | None
    step: int


@dataclass(frozen=True, slots=True)
class KeyPress:
    """A key that is accepted now, for any of these seats. `close` ignores the seat.

    `amount` None: the key takes no amount, or an amount changes nothing.
    """

    action: str
    seats: tuple[int, ...] = (WHOLE_TABLE,)
    amount: AmountRange | None = None


CLOSE = (KeyPress("close"),)
