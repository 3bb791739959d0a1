"""Settlement lines, one function per outcome."""

from dataclasses import dataclass

from controller.games.layout import Settlement
from controller.money import Ratio, pay


@dataclass(frozen=True, slots=True)
class Wagered:
    """One wager of one hand; `hand` counts from 1."""

    seat: int
    hand: int
    wager: str
    amount: int | None


def win(what: Wagered, pays: Ratio, chip: int, reason: str) -> Settlement:
    """Paid at the ratio, rounded down to the chip."""
    if what.amount is None:
        return Settlement(what.seat, what.hand, what.wager, None, "win", str(pays), None, reason)
    paid, lost = pay(pays, what.amount, chip)
    rounding = str(lost) if lost else None
    return Settlement(what.seat, what.hand, what.wager, what.amount, "win", str(pays), paid, reason, rounding)


def lose(what: Wagered, reason: str) -> Settlement:
    """Taken."""
    paid = None if what.amount is None else -what.amount
    return Settlement(what.seat, what.hand, what.wager, what.amount, "lose", None, paid, reason)


def push(what: Wagered, reason: str) -> Settlement:
    """Stays the player's: nothing is paid, even where the amount is unknown."""
    return Settlement(what.seat, what.hand, what.wager, what.amount, "push", None, 0, reason)
