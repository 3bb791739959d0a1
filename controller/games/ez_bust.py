"""Blackjack with the EZ Bust wager: the rules of docs/games/ez-bust.md."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from controller.games.bets.ez_bust import SPOT, EzBust
from controller.games.bets.insurance import Insurance
from controller.games.blackjack import DOUBLE_ON, Blackjack, BlackjackOptions, HandRules
from controller.games.layout import Hand, Layout, Seat, Settlement, Turn
from controller.games.options import PayRatio, check
from controller.games.settlement import HandWager, lose, lose_part, natural_line, push, win
from controller.games.strategy import STANDARD, WHOLE_GAME, Chart
from controller.money import EVEN, Ratio, ratio

SUITED_BUST = {1: "1:1", 2: "3:1", 4: "3:1", 6: "3:1", 8: "3:1"}
"""What a Suited Bust pays by number of decks, where suited_bust is "auto"."""


class EzBustOptions(BlackjackOptions):
    spots: ClassVar[tuple[str, ...]] = ("main", SPOT)

    dealer_hits_soft_17: bool = Field(True, description="true, false")
    peek: bool = Field(True, description="true, false")
    obo: bool = Field(True, description="true, false")
    double_on: Literal["any", "9-11", "10-11"] = Field("any", description='"any", "9-11", "10-11"')
    double_after_split: bool = Field(True, description="true, false")
    split_by: Literal["value", "rank"] = Field("value", description='"value", "rank"')
    resplit_aces: bool = Field(False, description="true, false")
    hit_split_aces: bool = Field(False, description="true, false")
    surrender: Literal["none", "late"] = Field("late", description='"none", "late"')
    insurance: bool = Field(True, description="true, false")
    even_money: bool = Field(False, description="true, false")
    allow_with_natural: bool = Field(False, description="true, false")
    suited_bust: Literal["auto", "off"] | PayRatio = Field(
        "auto", description='"auto", "off" or a ratio, as "3:1"'
    )
    draw_out: bool = Field(True, description="true, false")
    split_wager: bool = Field(True, description="true, false")
    max: int | None = Field(None, ge=1, description="cents, a whole number from 1 on")

    def limit(self, spot: str) -> tuple[int, int | None]:
        """`max` limits the EZ Bust wager too."""
        least, most = super().limit(spot)
        if spot == SPOT and self.max is not None:
            most = self.max if most is None else min(most, self.max)
        return least, most


class EzBustBlackjack(Blackjack):
    """Standard blackjack; against a low up-card players may wager that the dealer busts."""

    name = "ez-bust"
    title = "EZ Bust Blackjack"
    spots = EzBustOptions.spots
    window = "EZ Bust"
    charts: Mapping[str, Chart] = {WHOLE_GAME: STANDARD}
    options: EzBustOptions

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        chosen = check(EzBustOptions, options or {})
        bet = EzBust(
            suited=_suited(chosen),
            with_natural=chosen.allow_with_natural,
            draw_out=chosen.draw_out,
            split_wager=chosen.split_wager,
            chip=chosen.chip,
            has_natural=self.has_natural,
            hands_left=self.hands_left,
        )
        super().__init__(chosen, _hand_rules(chosen), (bet,), Insurance(chosen.insurance, chosen.even_money))

    def decide(self, layout: Layout, seat: Seat, hand: Hand, what: HandWager) -> Settlement:
        """Bust, then even money, then naturals, else the totals."""
        if self.bust(hand.cards):
            return lose(what, f"bust with {self.total(hand.cards)}")
        if hand.choice == "even-money":
            return win(what, EVEN, self.options.chip, "even money")
        natural = self.natural(layout.dealer)
        if self.has_natural(hand):
            return natural_line(what, natural, self.options.natural_pays, self.options.chip)
        if natural:
            return self._against_natural(self.stake(seat.wagers), what)
        return self.compare_totals(hand, layout.dealer, what)

    def advice(self, layout: Layout, turn: Turn) -> str:
        return self.by_charts(layout, turn)

    def _against_natural(self, stake: int | None, what: HandWager) -> Settlement:
        """The line of a hand that is not a natural. Only original wagers may be at stake if the dealer did
        not peek."""
        if self.options.peek or not self.options.obo:
            return lose(what, "dealer has a natural")
        if what.hand > 1:
            return push(what, "dealer has a natural, only the original wager is taken")
        return lose_part(what, stake, "dealer has a natural, only the original wager is taken")


def _suited(options: EzBustOptions) -> Ratio:
    if isinstance(options.suited_bust, Ratio):
        return options.suited_bust
    return EVEN if options.suited_bust == "off" else ratio(SUITED_BUST[options.decks])


def _hand_rules(options: EzBustOptions) -> HandRules:
    return HandRules(
        surrender="first-two" if options.surrender == "late" and options.peek else "none",
        max_hands=options.max_hands,
        double_on=DOUBLE_ON[options.double_on],
        double_after_split=options.double_after_split,
        split_by=options.split_by,
        resplit_aces=options.resplit_aces,
        hit_split_aces=options.hit_split_aces,
        dealer_hits_soft_17=options.dealer_hits_soft_17,
        peek=options.peek,
    )
