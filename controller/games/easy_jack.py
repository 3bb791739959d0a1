"""Easy Jack with Dealer Bust: the rules of docs/games/easy-jack.md."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from controller.cards import Card
from controller.games.bets.dealer_bust import DealerBust
from controller.games.game import NO_KEYS, Dealt, Game
from controller.games.layout import Hand, Layout, Outcome, Seat, Settlement, Turn
from controller.games.options import PayRatio, TableOptions, check, one_of
from controller.games.points import ACES, hard
from controller.games.settlement import HandWager, against, compare, line, lose
from controller.games.strategy import (
    ANY_COLUMN,
    EASY_JACK_MORE_CARDS,
    EASY_JACK_ONE_CARD,
    Chart,
    Place,
)
from controller.money import ratio

TARGET = 11
DEALER_DRAWS_TO = 6
"""The dealer draws on this total or less."""

DEAL: tuple[Dealt, ...] = ("seats", "dealer down")

CHOICES = frozenset({"hit", "stand"})

NATURAL_AGAINST: dict[tuple[str, bool], tuple[Outcome, str]] = {
    # option natural, whether the dealer has one too -> outcome of a player's natural, reason
    ("3:2", False): ("win", "natural"),
    ("3:2", True): ("push", "both have a natural"),
    ("6:5", False): ("win", "natural"),
    ("6:5", True): ("win", "natural, paid even against the dealer's"),
}

Count = Literal["2", "3", "4", "5", "6"]
"""Cards in a busted hand. Seven are impossible."""

DEALER_BUST: dict[Count, str] = {"2": "3:1", "3": "4:1", "4": "10:1", "5": "50:1", "6": "500:1"}

ONE_CARD, MORE_CARDS = "one card", "more cards"
"""The parts of the game's charts."""


class EasyJackOptions(TableOptions):
    spots: ClassVar[tuple[str, ...]] = ("main", "dealer-bust")

    decks: Annotated[int, one_of(6, 8)] = Field(8, description="6, 8")
    natural: Literal["3:2", "6:5"] = Field("3:2", description='"3:2", "6:5"')
    peek: bool = Field(False, description="true, false")
    dealer_bust: dict[Count, PayRatio] = Field(
        default_factory=lambda: {count: ratio(pays) for count, pays in DEALER_BUST.items()},
        description='cards in the busted hand ("2" to "6") to ratio, as {"2": "3:1"}',
    )


class EasyJack(Game):
    """Target 11, one card each, hit or stand only."""

    name = "easy-jack"
    title = "Easy Jack"
    spots = EasyJackOptions.spots
    by_seat = True
    charts: Mapping[str, Chart] = {ONE_CARD: EASY_JACK_ONE_CARD, MORE_CARDS: EASY_JACK_MORE_CARDS}
    options: EasyJackOptions

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        chosen = check(EasyJackOptions, options or {})
        pays = {int(count): pays for count, pays in chosen.dealer_bust.items()}
        bet = DealerBust(pays, chosen.chip, self.total, self.bust, self.natural)
        super().__init__(chosen, (bet,))
        self._natural = ratio(chosen.natural)

    @property
    def deal(self) -> tuple[Dealt, ...]:
        return DEAL

    def total(self, cards: Sequence[Card]) -> int:
        """An ace counts 11 alone and 1 with other cards."""
        return TARGET if self.natural(cards) else hard(cards)

    def bust(self, cards: Sequence[Card]) -> bool:
        return self.total(cards) > TARGET

    def natural(self, cards: Sequence[Card]) -> bool:
        """Whether the hand is an ace alone."""
        return len(cards) == 1 and cards[0] in ACES

    def choices(self, layout: Layout, turn: Turn) -> frozenset[str]:
        """Hit or stand below 11. A natural, 11 and a bust are passed over."""
        hand = layout.seats[turn.seat].hands[turn.hand]
        return CHOICES if not hand.choice and self.total(hand.cards) < TARGET else NO_KEYS

    def peeks(self, _layout: Layout) -> bool:
        return self.options.peek

    def dealer_takes(self, cards: Sequence[Card]) -> bool:
        return self.total(cards) <= DEALER_DRAWS_TO

    def decide(self, layout: Layout, _seat: Seat, hand: Hand, what: HandWager) -> Settlement:
        """Bust, then naturals, else the totals."""
        mine, dealer = self.total(hand.cards), layout.dealer
        if self.bust(hand.cards):
            return lose(what, f"bust with {mine}")
        if self.natural(hand.cards):
            both = NATURAL_AGAINST[self.options.natural, self.natural(dealer)]
            return line(what, *both, self.options.chip, self._natural)
        return against(what, self._seen(mine, dealer), mine, self.total(dealer), self.options.chip)

    def advice(self, layout: Layout, turn: Turn) -> str:
        """Hit 5 or less and a single 6; else stand."""
        place = self.charted_at(layout, turn)
        return self.charts[place.part].key(place.rows, place.column, self.choices(layout, turn))

    def charted_at(self, layout: Layout, turn: Turn) -> Place:
        """By the total: the dealer shows no card."""
        cards = layout.seats[turn.seat].hands[turn.hand].cards
        return Place(ONE_CARD if len(cards) == 1 else MORE_CARDS, (f"H{self.total(cards)}",), ANY_COLUMN)

    def _seen(self, mine: int, dealer: Sequence[Card]) -> str:
        if self.natural(dealer):
            return "natural"
        return "bust" if self.bust(dealer) else compare(mine, self.total(dealer))
