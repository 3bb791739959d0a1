"""The money of a table: its currency, and its chips.

`formatting` is for pages and commands only, because it loads Babel; the core never imports it.
"""

from controller.currency.chips import Breakdown, Chip, ChipCount, Exchange, breakdown, colour_up
from controller.currency.codes import MINOR_DIGITS
from controller.currency.currency import (
    UNNAMED,
    BadAmount,
    Currency,
    currency_in_use,
    named_currency,
    use,
    using,
)

__all__ = [
    "MINOR_DIGITS",
    "UNNAMED",
    "BadAmount",
    "Breakdown",
    "Chip",
    "ChipCount",
    "Currency",
    "Exchange",
    "breakdown",
    "colour_up",
    "currency_in_use",
    "named_currency",
    "use",
    "using",
]
