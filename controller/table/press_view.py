"""What the dealer may press, as anyone may see it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AmountView:
    """What a key may be for, in cents: a multiple of `step` from `least` to `most`, None: without end."""

    usual: int | None
    """What it is for without an amount; None is unknown."""
    least: int
    most: int | None
    step: int


@dataclass(frozen=True, slots=True)
class PressView:
    """A key that the table takes now."""

    action: str
    seats: tuple[int, ...]
    """For which it may be pressed; 0 is the whole table."""
    amount: AmountView | None = None
    """None: it comes without one."""
