"""Buster Blackjack X with Blazing 7s Progressive: the rules of docs/games/blackjack-x.md."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from controller.cards import Card
from controller.games import points
from controller.games.bets import blazing_7s, buster
from controller.games.bets.blazing_7s import BLAZING_7S_ALLOWED, BlazingOption, BlazingSevens, awards
from controller.games.bets.buster import BUSTER_ALLOWED, Buster, BusterOption
from controller.games.bets.insurance import Insurance
from controller.games.blackjack import Blackjack, DealOptions, HandRules, SurrenderRule
from controller.games.layout import STILL_PLAYED, Hand, Layout, Outcome, Seat, Settlement, Turn
from controller.games.options import PayRatio, check, one_of
from controller.games.points import TARGET
from controller.games.settlement import HandWager, compare, line, lose
from controller.games.strategy import STANDARD, WHOLE_GAME, Chart, Place
from controller.money import EVEN, ratio

X = "Blackjack X"
NATURAL = "Natural 31"
HARD = "Hard 31"

NO_RANK = ""
"""A hand that ranks by its total alone, below every 31."""

RANKS = {NO_RANK: 0, HARD: 1, NATURAL: 2, X: 3}

THIRTY_ONE = 31
OVER_21 = range(TARGET + 1, THIRTY_ONE)
"""Totals that lose at once, or that may draw on to 31 where the options allow it."""

AGAINST: dict[str, tuple[Outcome, str]] = {
    # the dealer's rank as the player's sees it -> outcome, reason
    "lower": ("win", "{player}"),
    "equal": ("push", "both have {player}"),
    "higher": ("lose", "dealer has {dealer}"),
}

SURRENDERS: dict[str, SurrenderRule] = {"first-two": "two-cards", "none": "none"}
"""By option surrender: with the two cards first dealt and after each split, never after a hit."""


class BlackjackXOptions(DealOptions):
    spots: ClassVar[tuple[str, ...]] = ("main", buster.SPOT, blazing_7s.SPOT)

    decks: Annotated[int, one_of(8)] = Field(8, description="8")
    dealer_hits_soft_17: bool = Field(True, description="true, false")
    blackjack_x_pays: PayRatio = Field(default_factory=lambda: ratio("2:1"), description='a ratio, as "2:1"')
    natural_31_pays: PayRatio = Field(default_factory=lambda: ratio("6:5"), description='a ratio, as "6:5"')
    hard_31_pays: PayRatio = Field(default_factory=lambda: ratio("3:1"), description='a ratio, as "3:1"')
    max_hands: Annotated[int, one_of(2, 3, 4)] = Field(4, description="2, 3, 4")
    player_may_hit_21: bool = Field(True, description="true, false")
    draw_on_bust: bool = Field(False, description="true, false")
    surrender: Literal["first-two", "none"] = Field("first-two", description='"first-two", "none"')
    buster: BusterOption = Field("B5", description=BUSTER_ALLOWED)
    blazing_7s: BlazingOption = Field(2, description=BLAZING_7S_ALLOWED)
    stake: int = Field(100, ge=1, description="cents, a whole number from 1 on")


class BlackjackX(Blackjack):
    """An ace and a ten are 31, and so may be three or more cards. Any other hand ranks by its total."""

    name = "blackjack-x"
    title = "Buster Blackjack X"
    spots = BlackjackXOptions.spots
    player_banked = True
    charts: Mapping[str, Chart] = {WHOLE_GAME: STANDARD}
    options: BlackjackXOptions

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        chosen = check(BlackjackXOptions, options or {})
        bets = (
            Buster(chosen.buster, chosen.chip, self.has_natural),
            BlazingSevens(awards(chosen.blazing_7s), chosen.stake, chosen.chip),
        )
        super().__init__(chosen, _hand_rules(chosen), bets, Insurance(offered=True))
        self._acting = _acting(chosen)
        self._pays = {X: chosen.blackjack_x_pays, NATURAL: chosen.natural_31_pays, HARD: chosen.hard_31_pays}

    def bust(self, cards: Sequence[Card]) -> bool:
        """Whether the hand is over 21 and not a Hard 31."""
        return points.hard(cards) > TARGET and points.hard(cards) != THIRTY_ONE

    def label(self, hand: Hand) -> str:
        """With the names of the ranks. A hand that may still act has no label, even over 21."""
        if hand.choice in STILL_PLAYED and not self.passed_over(hand):
            return ""
        return self.rank(hand) or super().label(hand)

    def passed_over(self, hand: Hand) -> bool:
        """Whether the hand is a natural or 31, or the options do not let it draw on."""
        return self.has_natural(hand) or self.total(hand.cards) not in self._acting

    def live(self, hand: Hand) -> bool:
        """Whether the hand waits for the dealer's. A Hard 31 does not."""
        return super().live(hand) and self.total(hand.cards) <= TARGET

    def rank(self, hand: Hand) -> str:
        """What the hand is, a key of RANKS. A hand that was split is never a natural."""
        if not hand.split and (dealt := natural_rank(hand.cards)):
            return dealt
        return HARD if self.total(hand.cards) == THIRTY_ONE else NO_RANK

    def decide(self, layout: Layout, _seat: Seat, hand: Hand, what: HandWager) -> Settlement:
        """Bust, then the ranks, else the totals."""
        if self.bust(hand.cards):
            return lose(what, f"bust with {self.total(hand.cards)}")
        mine, theirs = self.rank(hand), natural_rank(layout.dealer)
        if mine == theirs == NO_RANK:
            return self.compare_totals(hand, layout.dealer, what)
        outcome, reason = AGAINST[compare(RANKS[mine], RANKS[theirs])]
        sentence = reason.format(player=mine, dealer=theirs)
        return line(what, outcome, sentence, self.options.chip, self._pays.get(mine, EVEN))

    def advice(self, layout: Layout, turn: Turn) -> str:
        """Basic strategy, which does not aim for a Hard 31. A hand over 21 that may draw has nothing to
        lose."""
        if self.charted_at(layout, turn) is None:
            return "hit"
        return self.by_charts(layout, turn)

    def charted_at(self, layout: Layout, turn: Turn) -> Place | None:
        """A hand over 21 is on no chart."""
        bust = self.bust(layout.seats[turn.seat].hands[turn.hand].cards)
        return None if bust else super().charted_at(layout, turn)


def natural_rank(cards: Sequence[Card]) -> str:
    """The rank of an ace and a ten-value as the first two cards; empty for other cards."""
    if not points.ace_and_ten(cards):
        return NO_RANK
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    return X if "K" in ranks and len(suits) == 1 else NATURAL


def _acting(options: BlackjackXOptions) -> frozenset[int]:
    """Totals of hands that may still act."""
    totals = {*range(TARGET), *OVER_21} if options.draw_on_bust else {*range(TARGET)}
    return frozenset({*totals, TARGET} if options.player_may_hit_21 else totals)


def _hand_rules(options: BlackjackXOptions) -> HandRules:
    return HandRules(
        surrender=SURRENDERS[options.surrender],
        max_hands=options.max_hands,
        double_on=range(TARGET + 1),
        dealer_hits_soft_17=options.dealer_hits_soft_17,
    )
