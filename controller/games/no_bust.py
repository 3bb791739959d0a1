"""No Bust 21st Century Blackjack and 21.5 Pure Blackjack: the rules of their pages in docs/games/."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from controller.cards import Card
from controller.games.bets import buster
from controller.games.bets.buster import BUSTER_ALLOWED, Buster, BusterOption
from controller.games.bets.insurance import Insurance
from controller.games.blackjack import HIT_OR_STAND, Blackjack, HandRules, TwoCardOptions
from controller.games.game import DECIDED
from controller.games.layout import Hand, Layout, Outcome, Seat, Settlement, Turn
from controller.games.options import PayRatio, check, one_of
from controller.games.settlement import HandWager, against, line, natural_line
from controller.games.strategy import NO_BUST, STANDARD_WITHOUT_SURRENDER, Chart
from controller.money import ratio

MUST_HIT = range(12)
MUST_STAND = 20
"""A two-card 20 is not passed over: it may stand, double or split."""
MAY_PUSH = range(23, 26)
"""Three-card busts that push when the dealer's bust is higher."""

HIT = frozenset({"hit"})
STAND = frozenset({"stand"})
TWO_CARDS, MORE_CARDS = "two cards", "more cards"
"""The parts of the game's charts."""

BUSTED: dict[str, tuple[Outcome, str]] = {
    # what the dealer's hand is to a busted one -> outcome, reason
    "three eights": ("push", "bust with {player}, dealer has three eights"),
    "higher": ("push", "bust with {player} in three cards, dealer busts higher with {dealer}"),
    "not higher": ("lose", "bust with {player}, dealer's {dealer} is no higher bust"),
    "any": ("lose", "bust with {player}"),
}


class NoBustOptions(TwoCardOptions):
    spots: ClassVar[tuple[str, ...]] = ("main", buster.SPOT)

    decks: Annotated[int, one_of(2, 3, 4, 5)] = Field(5, description="2, 3, 4, 5")
    natural_pays: PayRatio = Field(default_factory=lambda: ratio("6:5"), description='a ratio, as "6:5"')
    surrender: Literal["any-time", "first-two", "none"] = Field(
        "any-time", description='"any-time", "first-two", "none"'
    )
    three_card_bust_push: bool = Field(True, description="true, false")
    three_eights_push: bool = Field(False, description="true, false")
    buster: BusterOption = Field("B5", description=BUSTER_ALLOWED)
    natural_label: str = Field("20.5", min_length=1, max_length=20, description="text of 1 to 20 characters")


class PureOptions(NoBustOptions):
    """Where 21.5 Pure differs."""

    surrender: Literal["first-two", "none"] = Field("first-two", description='"first-two", "none"')
    three_eights_push: bool = Field(True, description="true, false")
    natural_label: str = Field("21.5", min_length=1, max_length=20, description="text of 1 to 20 characters")


class NoBust(Blackjack):
    """A busted hand stays on the table, because some busts push when the dealer busts too."""

    name = "no-bust-21st-century"
    title = "No Bust 21st Century Blackjack"
    spots = NoBustOptions.spots
    player_banked = True
    charts: Mapping[str, Chart] = {TWO_CARDS: NO_BUST, MORE_CARDS: STANDARD_WITHOUT_SURRENDER}
    model: ClassVar[type[NoBustOptions]] = NoBustOptions
    options: NoBustOptions

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        chosen = check(self.model, options or {})
        bet = Buster(chosen.buster, chosen.chip, self.has_natural)
        insured = Insurance(offered=True, exactly_half=True, with_natural=False)
        super().__init__(chosen, HandRules(surrender=chosen.surrender), (bet,), insured)

    def natural_label(self, _hand: Hand) -> str:
        """A number that only a natural has, from the options."""
        return self.options.natural_label

    def passed_over(self, hand: Hand) -> bool:
        """Whether the hand has 21 or more, or a 20 of more than two cards, which may neither double nor
        split."""
        most = MUST_STAND if len(hand.cards) == 2 else MUST_STAND - 1
        return self.total(hand.cards) > most

    def basic(self, hand: Hand) -> frozenset[str]:
        """11 or less must hit; 20 must stand."""
        held = self.total(hand.cards)
        if held in MUST_HIT:
            return HIT
        return STAND if held == MUST_STAND else HIT_OR_STAND

    def live(self, hand: Hand) -> bool:
        """Whether the hand waits for the dealer's. So does a bust that may push."""
        if hand.choice in DECIDED or self.has_natural(hand):
            return False
        return not self.bust(hand.cards) or self.options.three_eights_push or self._may_push(hand)

    def decide(self, layout: Layout, _seat: Seat, hand: Hand, what: HandWager) -> Settlement:
        """Naturals, then busts, else the totals."""
        dealer, chip = layout.dealer, self.options.chip
        mine, theirs, natural = self.total(hand.cards), self.total(dealer), self.natural(dealer)
        if self.has_natural(hand):
            return natural_line(what, natural, self.options.natural_pays, chip)
        if self.bust(hand.cards):
            outcome, reason = BUSTED[self._seen_busted(hand, dealer)]
            return line(what, outcome, reason.format(player=mine, dealer=theirs), chip)
        if natural:
            return against(what, "natural", mine, theirs, chip)
        return self.compare_totals(hand, dealer, what)

    def advice(self, layout: Layout, turn: Turn) -> str:
        """The game's own chart for two cards; for more cards the hits and stands of basic strategy."""
        return self.by_charts(layout, turn)

    def part(self, hand: Hand) -> str:
        return TWO_CARDS if len(hand.cards) == 2 else MORE_CARDS

    def _seen_busted(self, hand: Hand, dealer: Sequence[Card]) -> str:
        """How a busted hand sees the dealer's, a key of BUSTED."""
        if self.options.three_eights_push and [card[0] for card in dealer] == ["8", "8", "8"]:
            return "three eights"
        if not self._may_push(hand) or not self.bust(dealer):
            return "any"
        return "higher" if self.total(dealer) > self.total(hand.cards) else "not higher"

    def _may_push(self, hand: Hand) -> bool:
        """Whether the hand is a bust that pushes when the dealer's bust is higher."""
        three = self.options.three_card_bust_push and len(hand.cards) == 3
        return three and self.total(hand.cards) in MAY_PUSH


class Pure(NoBust):
    """No Bust with the options of 21.5 Pure Blackjack."""

    name = "pure-21-5"
    title = "21.5 Pure Blackjack"
    model = PureOptions
    options: PureOptions
