"""Settlement lines: one function per outcome, and the comparison of a hand with the dealer's."""

from dataclasses import dataclass
from fractions import Fraction

from controller.games.layout import Outcome, Settlement
from controller.money import EVEN, Ratio, part, pay


@dataclass(frozen=True, slots=True)
class HandWager:
    """One wager of one hand; `hand` counts from 1."""

    seat: int
    hand: int
    wager: str
    amount: int | None


def win(what: HandWager, pays: Ratio, chip: int, reason: str) -> Settlement:
    """Paid at the ratio, rounded down to the chip."""
    if what.amount is None:
        return _line(what, "win", None, reason, pays=str(pays))
    paid, lost = pay(pays, what.amount, chip)
    return _line(what, "win", paid, reason, pays=str(pays), lost=lost)


def lose(what: HandWager, reason: str) -> Settlement:
    return _line(what, "lose", None if what.amount is None else -what.amount, reason)


def push(what: HandWager, reason: str) -> Settlement:
    """The wager goes back to the player: nothing is paid, even if the amount is unknown."""
    return _line(what, "push", 0, reason)


def surrender(what: HandWager, chip: int, reason: str) -> Settlement:
    """Half of the wager is taken, rounded down to the chip."""
    if what.amount is None:
        return _line(what, "lose", None, reason)
    half, lost = part(Fraction(1, 2), what.amount, chip)
    return _line(what, "lose", -half, reason, lost=lost)


def lose_part(what: HandWager, taken: int | None, reason: str) -> Settlement:
    """`taken` cents of the wager are lost and the rest comes back. None: unknown."""
    return _line(what, "lose", None if taken is None else -taken, reason)


def _line(
    what: HandWager,
    outcome: Outcome,
    paid: int | None,
    reason: str,
    *,
    pays: str | None = None,
    lost: Fraction = Fraction(0),
) -> Settlement:
    rounding = str(lost) if lost else None
    return Settlement(what.seat, what.hand, what.wager, what.amount, outcome, pays, paid, reason, rounding)


AGAINST: dict[str, tuple[Outcome, str]] = {
    # the dealer's hand as a standing hand sees it -> outcome, reason
    "natural": ("lose", "dealer has a natural"),
    "bust": ("win", "dealer busts with {dealer}"),
    "lower": ("win", "{player} beats dealer's {dealer}"),
    "equal": ("push", "both have {player}"),
    "higher": ("lose", "dealer's {dealer} beats {player}"),
}

NATURAL_AGAINST: dict[bool, tuple[Outcome, str]] = {
    # whether the dealer has one too -> outcome of a player's natural, reason
    False: ("win", "natural"),
    True: ("push", "both have a natural"),
}


def compare(player: int, dealer: int) -> str:
    """The dealer's total as the player's sees it, a key of AGAINST."""
    return "equal" if player == dealer else "lower" if dealer < player else "higher"


def against(what: HandWager, seen: str, player: int, dealer: int, chip: int) -> Settlement:
    """The line of a standing hand that sees the dealer's as `seen`, a key of AGAINST. A win pays 1:1."""
    outcome, reason = AGAINST[seen]
    return line(what, outcome, reason.format(player=player, dealer=dealer), chip)


def natural_line(what: HandWager, both: bool, pays: Ratio, chip: int) -> Settlement:
    """The line of a natural; `both`: the dealer has one too."""
    return line(what, *NATURAL_AGAINST[both], chip, pays)


def line(what: HandWager, outcome: Outcome, reason: str, chip: int, pays: Ratio = EVEN) -> Settlement:
    """The line for an outcome from a table."""
    if outcome == "win":
        return win(what, pays, chip, reason)
    return push(what, reason) if outcome == "push" else lose(what, reason)
