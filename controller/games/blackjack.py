"""What the games on 21 share: two cards each, an ace counts 1 or 11, and the ways to play a hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from controller.cards import Card
from controller.games import points
from controller.games.bets.bet import SideBet
from controller.games.bets.insurance import Insurance
from controller.games.game import NO_KEYS, Dealt, Game
from controller.games.layout import STILL_PLAYED, Hand, Layout, Seat, Settlement, Turn
from controller.games.options import PayRatio, TableOptions, one_of
from controller.games.points import ACES, TARGET, TENS, VALUES
from controller.games.settlement import HandWager, against, compare
from controller.games.strategy import WHOLE_GAME, Chart, Place, rows_of
from controller.money import ratio

HIT_OR_STAND = frozenset({"hit", "stand"})
SPLIT_OR_STAND = frozenset({"split", "stand"})
"""The choices of a pair of aces after a split, in games that leave it any."""

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
"""By option double_on: the totals on which two cards may be doubled."""

DEALER_STANDS_ON = 17

SurrenderRule = Literal["none", "first-two", "two-cards", "any-time"]
"""When a hand may be surrendered: never; with its first two cards; with any two cards, after a split too;
or with any number of cards."""


SURRENDERS: dict[SurrenderRule, Callable[[Hand], bool]] = {
    "none": lambda _: False,
    "first-two": lambda hand: hand.dealt,
    "two-cards": lambda hand: len(hand.cards) == 2,
    "any-time": lambda _: True,
}


class DealOptions(TableOptions):
    dealer_first_card: Literal["up", "hole"] = Field("up", description='"up", "hole"')


class TwoCardOptions(DealOptions):
    """Adds what a natural pays, for the games in which all naturals pay alike."""

    natural_pays: PayRatio = Field(default_factory=lambda: ratio("3:2"), description='a ratio, as "3:2"')


class BlackjackOptions(TwoCardOptions):
    """Adds the options of most games on 21. A game with other numbers of decks replaces `decks`."""

    decks: Annotated[int, one_of(1, 2, 4, 6, 8)] = Field(6, description="1, 2, 4, 6, 8")
    max_hands: Annotated[int, one_of(2, 3, 4)] = Field(4, description="2, 3, 4")


@dataclass(frozen=True, slots=True)
class HandRules:
    surrender: SurrenderRule = "none"
    max_hands: int = 4
    double_on: range = DOUBLE_ON["any"]
    double_after_split: bool = True
    split_by: Literal["value", "rank"] = "value"
    resplit_aces: bool = False
    hit_split_aces: bool = False
    dealer_hits_soft_17: bool = True
    peek: bool = True


class Blackjack(Game):
    """A game on 21. Each game lists its side bets, states its hand rules and decides its main wagers."""

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
        """One ace counts 11 unless that busts the hand."""
        return points.total(cards)

    def count(self, cards: Sequence[Card]) -> str:
        """ "17" or "soft 17"."""
        return f"{'soft ' * points.soft(cards)}{points.total(cards)}"

    def bust(self, cards: Sequence[Card]) -> bool:
        return points.hard(cards) > TARGET

    def natural(self, cards: Sequence[Card]) -> bool:
        return points.ace_and_ten(cards)

    def peeks(self, layout: Layout) -> bool:
        """Whether the dealer looks, because a natural is possible with this up-card."""
        return self.hand_rules.peek and (layout.up in ACES or layout.up in TENS)

    def choices(self, layout: Layout, turn: Turn) -> frozenset[str]:
        """Hit or stand, and what the hand rules allow. A hand that is passed over has no choices."""
        seat = layout.seats[turn.seat]
        hand = seat.hands[turn.hand]
        if hand.choice not in STILL_PLAYED or self.passed_over(hand):
            return NO_KEYS
        if self._one_card(hand):
            return SPLIT_OR_STAND if self.splits(seat, hand) else NO_KEYS
        return self.basic(hand) | EXTRA[self.doubles(hand), self.splits(seat, hand), self.surrenders(hand)]

    def passed_over(self, hand: Hand) -> bool:
        """Whether the hand has 21 or more, which includes naturals."""
        return points.total(hand.cards) >= TARGET

    def basic(self, _hand: Hand) -> frozenset[str]:
        """The choices that follow from the total alone."""
        return HIT_OR_STAND

    def doubles(self, hand: Hand) -> bool:
        """Whether the hand may be doubled: two cards with a total that the hand rules name."""
        manner = self.hand_rules
        return (
            len(hand.cards) == 2
            and (manner.double_after_split or not hand.split)
            and points.total(hand.cards) in manner.double_on
        )

    def splits(self, seat: Seat, hand: Hand) -> bool:
        """Whether the hand is a pair, by value or by rank, and the seat may have one more hand."""
        if len(hand.cards) != 2 or len(seat.hands) >= self.hand_rules.max_hands:
            return False
        one, other = hand.cards
        if one in ACES and hand.split and not self.hand_rules.resplit_aces:
            return False
        return one[0] == other[0] if self.hand_rules.split_by == "rank" else VALUES[one] == VALUES[other]

    def surrenders(self, hand: Hand) -> bool:
        return SURRENDERS[self.hand_rules.surrender](hand)

    def dealer_takes(self, cards: Sequence[Card]) -> bool:
        """The dealer draws to 16 or less, and to a soft 17 if the option says so."""
        held = points.total(cards)
        if held == DEALER_STANDS_ON:
            return self.hand_rules.dealer_hits_soft_17 and points.soft(cards)
        return held < DEALER_STANDS_ON

    def compare_totals(self, hand: Hand, dealer: Sequence[Card], what: HandWager) -> Settlement:
        """The line of a standing hand against a dealer without a natural: the higher total wins 1:1."""
        mine, theirs = self.total(hand.cards), self.total(dealer)
        seen = "bust" if self.bust(dealer) else compare(mine, theirs)
        return against(what, seen, mine, theirs, self.options.chip)

    def charted(self, chart: Chart, layout: Layout, turn: Turn) -> str:
        """What a chart of good play says: one of `choices`."""
        if layout.up is None:
            raise AssertionError("a chart needs an up-card")
        hand = layout.seats[turn.seat].hands[turn.hand]
        return chart.advice(hand, layout.up, self.choices(layout, turn))

    def charted_at(self, layout: Layout, turn: Turn) -> Place | None:
        """By pair or total, and by the up-card."""
        if layout.up is None:
            raise AssertionError("a chart needs an up-card")
        hand = layout.seats[turn.seat].hands[turn.hand]
        rows = rows_of(hand.cards, self.choices(layout, turn))
        return Place(self.part(hand), rows, points.up_rank(layout.up))

    def part(self, _hand: Hand) -> str:
        """Which of `charts` says how the hand is played."""
        return WHOLE_GAME

    def by_charts(self, layout: Layout, turn: Turn) -> str:
        """What `charts` say: one of `choices`."""
        chart = self.charts[self.part(layout.seats[turn.seat].hands[turn.hand])]
        return self.charted(chart, layout, turn)

    def _one_card(self, hand: Hand) -> bool:
        """Whether the hand is a split ace, which gets one card only."""
        return hand.split > 0 and hand.cards[0] in ACES and not self.hand_rules.hit_split_aces
