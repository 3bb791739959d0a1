"""The keys of the dealer's console: the one table of them, and which of them are legal.

The console's hardware has a list of its own in drivers/protocol/codes.py: the order of the bits on the wire.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Action = Literal[
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
    "play",
    "quick-pay",
    "insurance",
    "even-money",
    "close",
    "pay",
]
ACTIONS: tuple[Action, ...] = get_args(Action)

WHOLE_TABLE = 0
"""The seat of a key that is not for one seat."""


@dataclass(frozen=True, slots=True)
class KeyName:
    """`letter` presses the key for the hand in turn or for the whole table on a keyboard; `by_seat` has a
    letter for each seat, seat 1 first. `choice`: the key decides how the hand in turn is played."""

    label: str
    letter: str = ""
    by_seat: str = ""
    choice: bool = False


KEY_NAMES: Mapping[str, KeyName] = {
    "hit": KeyName("Hit", "h", choice=True),
    "stand": KeyName("Stand", "s", choice=True),
    "double": KeyName("Double", "d", choice=True),
    "split": KeyName("Split", "p", choice=True),
    "surrender": KeyName("Surrender", "r", choice=True),
    "play": KeyName("Play", "y", choice=True),
    "quick-pay": KeyName("Quick Pay", "q", choice=True),
    "insurance": KeyName("Insure", by_seat="123456789"),
    "even-money": KeyName("Even money", by_seat="qwertyuio"),
    "close": KeyName("Close", "c"),
    "pay": KeyName("Paid", "a", by_seat="123456789"),
}
"""In the order in which a dealer offers them."""
CHOICES = tuple(action for action, key in KEY_NAMES.items() if key.choice)


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
