"""Insurance and even money against an ace."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.games.bets.bet import wagers_on
from controller.games.layout import Layout, Settlement
from controller.games.points import ACES
from controller.games.settlement import lose, win
from controller.money import Ratio, half, text

SPOT = "insurance"
PAYS = Ratio(2, 1)
NATURAL = {True: frozenset({"even-money"}), False: frozenset[str]()}
INSURED = {True: frozenset({SPOT}), False: frozenset[str]()}


class Forbidden(Exception):
    """A choice that the rules of a game do not allow; the text says what they do allow."""


@dataclass(frozen=True, slots=True)
class Insurance:
    """What is offered against an ace. The defaults are the rules of the games' pages."""

    offered: bool
    even_money: bool = False
    """A natural may take 1:1 at once."""
    exactly_half: bool = False
    """Insurance must be half of the main wager, rounded down to the chip."""
    with_natural: bool = True
    """A seat with a natural may insure."""

    def keys(self, layout: Layout, seat: int, *, natural: bool) -> frozenset[str]:
        """What a seat may still choose. `natural`: it was dealt one."""
        held = layout.seats[seat]
        if layout.up not in ACES or SPOT in held.wagers or held.hands[0].choice:
            return frozenset()
        insures = self.offered and (self.with_natural or not natural)
        return INSURED[insures] | NATURAL[self.even_money and natural]

    def amount(self, stake: int | None, chip: int, cents: int | None) -> int | None:
        """`cents`, or half of the stake; None is unknown. Raises Forbidden."""
        if cents is not None and cents % chip:
            raise Forbidden(f"insurance of {text(cents)} is not a multiple of the chip, {text(chip)}")
        if stake is None:
            return cents
        most = half(stake, chip)
        if not most:
            raise Forbidden(
                f"insurance is not possible: half of {text(stake)} is less than the chip, {text(chip)}"
            )
        if cents is not None and (cents > most or (self.exactly_half and cents != most)):
            least = "exactly" if self.exactly_half else "at most"
            raise Forbidden(f"insurance of {text(cents)} is not possible; allowed: {least} {text(most)}")
        return most if cents is None else cents


def settle(layout: Layout, chip: int, *, natural: bool) -> Iterator[Settlement]:
    """A line for each insurance. `natural`: the dealer has one."""
    for what in wagers_on(layout, SPOT):
        if natural:
            yield win(what, PAYS, chip, "dealer has a natural")
        else:
            yield lose(what, "dealer has no natural")
