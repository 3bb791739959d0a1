"""Players whose strategy adapts to pays that an operator raised. The charts assume the published pays."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from controller.games import open_game
from controller.games.blackjack import Blackjack
from controller.games.blackjack_x import THIRTY_ONE, BlackjackX
from controller.games.game import Game
from controller.games.layout import Hand, Layout, Turn
from controller.games.points import TARGET, UpRank, hard, up_rank
from controller.games.quick_pay import PUSHING_TOTAL, QUICK_PAYS, QuickPay
from controller.money import Ratio, ratio
from controller.odds.dealer import Shares
from controller.odds.exact import dealer

TENS = Fraction(4, 13)
"""The share of ten-values in a full deck."""
TOTALS = range(PUSHING_TOTAL, TARGET + 1)
"""The totals that a dealer can stand on."""
WAGERS = 2
"""Quick Pay is for one of the two wagers; a hand that stands plays for both."""


class QuickPayTaker(QuickPay):
    """Takes a Quick Pay that is higher than the published one if it is worth more than standing."""

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(options)
        by_up_card = _by_up_card(self)
        self._taken = {
            (int(total), up)
            for total, pays in self.options.quick_pay.items()
            for up, shares in by_up_card.items()
            if _mean_gain(pays)
            > max(_mean_gain(QUICK_PAYS[total]), WAGERS * standing(int(total), shares, PUSHING_TOTAL))
        }

    def advice(self, layout: Layout, turn: Turn) -> str:
        """Quick Pay if it is worth more than standing, else the chart's choice."""
        held = self.total(_hand(layout, turn).cards)
        takes = "quick-pay" in self.choices(layout, turn) and (held, _up(layout)) in self._taken
        return "quick-pay" if takes else super().advice(layout, turn)


class ThirtyOneSeeker(BlackjackX):
    """Hits a hard 21 if the chance of a ten-value card for a Hard 31 is worth more than standing."""

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(options)
        pays = self.options.hard_31_pays
        hitting = TENS * Fraction(pays.win, pays.stake) - (1 - TENS)
        self._hits = {up for up, shares in _by_up_card(self).items() if hitting > standing(TARGET, shares)}

    def advice(self, layout: Layout, turn: Turn) -> str:
        """A hit if it is worth more than standing, else basic strategy."""
        one_ten_away = hard(_hand(layout, turn).cards) == THIRTY_ONE - 10
        hits = one_ten_away and "hit" in self.choices(layout, turn) and _up(layout) in self._hits
        return "hit" if hits else super().advice(layout, turn)


ADAPTED: dict[str, type[QuickPayTaker | ThirtyOneSeeker]] = {
    QuickPay.name: QuickPayTaker,
    BlackjackX.name: ThirtyOneSeeker,
}


def open_adapted(name: str, options: Mapping[str, Any]) -> Game:
    """The game `name` with a player who adapts to its pays. Raises the errors of `open_game`."""
    return ADAPTED[name](options) if name in ADAPTED else open_game(name, options)


def standing(held: int, dealer: Shares, pushing: int | None = None) -> Fraction:
    """The expected gain of one unit on a hand that stands on `held`, given the shares of the dealer's final
    totals. `pushing` is a dealer's total against which every hand pushes."""
    gain = dealer.get("bust", Fraction(0)) - dealer.get("natural", Fraction(0))
    for total in TOTALS:
        if total not in (pushing, held):
            gain += dealer.get(str(total), Fraction(0)) * (1 if total < held else -1)
    return gain


def _by_up_card(game: Blackjack) -> dict[str, Shares]:
    """The shares of the dealer's final totals by up-card, after a peek if the game has one."""
    return {entry.given["up_card"]: entry.after_peek or entry.before_peek for entry in dealer(game).totals}


def _mean_gain(pays: str | Ratio) -> Fraction:
    found = ratio(pays) if isinstance(pays, str) and pays != "push" else pays
    return Fraction(found.win, found.stake) if isinstance(found, Ratio) else Fraction(0)


def _hand(layout: Layout, turn: Turn) -> Hand:
    return layout.seats[turn.seat].hands[turn.hand]


def _up(layout: Layout) -> UpRank | None:
    return None if layout.up is None else up_rank(layout.up)
