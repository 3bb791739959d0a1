"""What the name of a place in a text says about what stands there, such as {dealer} or {amount_won}."""

from typing import Final

AMOUNT: Final = "amount"
"""The word in the name of a place for an amount of money."""
NAMES: Final = frozenset(
    {"who", "name", "person", "dealer", "croupier", "supervisor", "payer", "voided_by", "table"}
)
"""Places for names, which are not translated."""


def is_amount(place: str) -> bool:
    return AMOUNT in _unnumbered(place).split("_")


def is_name(place: str) -> bool:
    return _unnumbered(place) in NAMES


def _unnumbered(place: str) -> str:
    """The second place of a name in a text has a number: {amount2}."""
    return place.rstrip("0123456789")
