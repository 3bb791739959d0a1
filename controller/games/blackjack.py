"""What the games on 21 share: two cards each, an ace as 1 or 11, and the same ways to play a hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from controller.cards import Card
from controller.games import points
from controller.games.bets.bet import SideBet
from controller.games.bets.insurance import Insurance
from controller.games.game import Dealt
from controller.games.layout import STILL_PLAYED, Hand, Layout, Seat, Settlement, Turn
from controller.games.options import PayRatio, TableOptions, one_of
from controller.games.points import ACES, TARGET, TENS, VALUES
from controller.games.settlement import HandWager, against, compare
from controller.games.strategy import Chart
from controller.games.table_game import NO_KEYS, TableGame
from controller.money import ratio

HIT_OR_STAND = frozenset({"hit", "stand"})
SPLIT_OR_STAND = frozenset({"split", "stand"})
"""What an ace-ace after a split may do, where it may do anything."""

EXTRA = {
    (doubles, splits, surrenders): frozenset(
        key for key, allowed in (("double", doubles), ("split", splits), ("surrender", surrenders)) if allowed
    )
    for doubles in (False, True)
    for splits in (False, True)
    for surrenders in (False, True)
}
"""The keys beyond hit and stand."""

DEALS: dict[str, tuple[Dealt, ...]] = {
    # option dealer_first_card -> who gets cards
    "up": ("seats", "dealer up", "seats", "dealer down"),
    "hole": ("seats", "dealer down", "seats", "dealer up"),
}

DOUBLE_ON = {"any": range(TARGET), "9-11": range(9, 12), "10-11": range(10, 12)}
"""By option double_on: totals of two cards, as they stand."""

DEALER_STANDS_ON = 17

SurrenderRule = Literal["none", "first-two", "two-cards", "any-time"]
"""When a hand may be surrendered: never; with the two cards first dealt; with two cards, those after a split
too; with any number of cards."""


SURRENDERS: dict[SurrenderRule, Callable[[Hand], bool]] = {
    "none": lambda _: False,
    "first-two": lambda hand: hand.dealt,
    "two-cards": lambda hand: len(hand.cards) == 2,
    "any-time": lambda _: True,
}


class DealOptions(TableOptions):
    """The options that every game on 21 has."""

    dealer_first_card: Literal["up", "hole"] = Field("up", description='"up", "hole"')


class TwoCardOptions(DealOptions):
    """With what a natural pays, in the games that pay every natural alike."""

    natural_pays: PayRatio = Field(default_factory=lambda: ratio("3:2"), description='a ratio, as "3:2"')


class BlackjackOptions(TwoCardOptions):
    """With those of most of them; a game that has other decks names its own."""

    decks: Annotated[int, one_of(1, 2, 4, 6, 8)] = Field(6, description="1, 2, 4, 6, 8")
    max_hands: Annotated[int, one_of(2, 3, 4)] = Field(4, description="2, 3, 4")


@dataclass(frozen=True, slots=True)
class HandRules:
    """How hands may be played."""

    surrender: SurrenderRule = "none"
    max_hands: int = 4
    double_on: range = DOUBLE_ON["any"]
    double_after_split: bool = True
    split_by: Literal["value", "rank"] = "value"
    resplit_aces: bool = False
    hit_split_aces: bool = False
    dealer_hits_soft_17: bool = True
    peek: bool = True


class Blackjack(TableGame):
    """A game on 21; it lists its side bets, states its manner of play and decides its main wagers."""

    options: DealOptions

    def __init__(
        self, options: DealOptions, hand_rules: HandRules, side_bets: tuple[SideBet, ...], insured: Insurance
    ) -> None:
        super().__init__(options, side_bets, insured)
        self.hand_rules = hand_rules

    @property
    def deal(self) -> tuple[Dealt, ...]:
        """Two cards each, the dealer's one up and one down."""
        return DEALS[self.options.dealer_first_card]

    def total(self, cards: Sequence[Card]) -> int:
        """One ace counts 11 where that does not bust the hand."""
        return points.total(cards)

    def count(self, cards: Sequence[Card]) -> str:
        """ "17" or "soft 17"."""
        return f"{'soft ' * points.soft(cards)}{points.total(cards)}"

    def bust(self, cards: Sequence[Card]) -> bool:
        """Whether the hand is over 21."""
        return points.hard(cards) > TARGET

    def natural(self, cards: Sequence[Card]) -> bool:
        """Whether the hand is an ace and a ten-value."""
        return points.ace_and_ten(cards)

    def peeks(self, layout: Layout) -> bool:
        """Whether a natural is possible with this up-card, and the dealer looks."""
        return self.hand_rules.peek and (layout.up in ACES or layout.up in TENS)

    def choices(self, layout: Layout, turn: Turn) -> frozenset[str]:
        """Hit or stand, and what the manner of play allows; nothing for a hand that is passed over."""
        seat = layout.seats[turn.seat]
        hand = seat.hands[turn.hand]
        if hand.choice not in STILL_PLAYED or self.passed_over(hand):
            return NO_KEYS
        if self._one_card(hand):
            return SPLIT_OR_STAND if self.splits(seat, hand) else NO_KEYS
        return self.basic(hand) | EXTRA[self.doubles(hand), self.splits(seat, hand), self.surrenders(hand)]

    def passed_over(self, hand: Hand) -> bool:
        """21 or more, a natural among them."""
        return points.total(hand.cards) >= TARGET

    def basic(self, _hand: Hand) -> frozenset[str]:
        """What is possible by the total alone."""
        return HIT_OR_STAND

    def doubles(self, hand: Hand) -> bool:
        """Whether the hand may be doubled: two cards of a total that the manner of play names."""
        manner = self.hand_rules
        return (
            len(hand.cards) == 2
            and (manner.double_after_split or not hand.split)
            and points.total(hand.cards) in manner.double_on
        )

    def splits(self, seat: Seat, hand: Hand) -> bool:
        """Whether the hand is a pair, by value or by rank, and there may be one more."""
        if len(hand.cards) != 2 or len(seat.hands) >= self.hand_rules.max_hands:
            return False
        one, other = hand.cards
        if one in ACES and hand.split and not self.hand_rules.resplit_aces:
            return False
        return one[0] == other[0] if self.hand_rules.split_by == "rank" else VALUES[one] == VALUES[other]

    def surrenders(self, hand: Hand) -> bool:
        """Whether half the wager may be given up now."""
        return SURRENDERS[self.hand_rules.surrender](hand)

    def dealer_takes(self, cards: Sequence[Card]) -> bool:
        """16 and less, and soft 17 as the option says."""
        held = points.total(cards)
        if held == DEALER_STANDS_ON:
            return self.hand_rules.dealer_hits_soft_17 and points.soft(cards)
        return held < DEALER_STANDS_ON

    def compare_totals(self, hand: Hand, dealer: Sequence[Card], what: HandWager) -> Settlement:
        """The line of a standing hand against a dealer without a natural: the higher total wins 1:1."""
        mine, theirs = self.total(hand.cards), self.total(dealer)
        seen = "bust" if self.bust(dealer) else compare(mine, theirs)
        return against(what, seen, mine, theirs, self.options.chip)

    def charted(self, chart: Chart, layout: Layout, turn: Turn, without: frozenset[str] = NO_KEYS) -> str:
        """What a chart of good play says, one of `choices`, as if the keys `without` were none."""
        if layout.up is None:
            raise AssertionError("a chart needs an up-card")
        hand = layout.seats[turn.seat].hands[turn.hand]
        return chart.advice(hand, layout.up, self.choices(layout, turn) - without)

    def _one_card(self, hand: Hand) -> bool:
        """Whether a split ace has its one card."""
        return hand.split > 0 and hand.cards[0] in ACES and not self.hand_rules.hit_split_aces
