"""Easy Jack with Dealer Bust: the rules of docs/games/easy-jack.md."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from controller.cards import DECK, Card
from controller.games.game import Dealt
from controller.games.layout import Hand, Layout, Outcome, Settlement, Turn
from controller.games.lines import Wagered, lose, push, win
from controller.games.options import PayRatio, TableOptions, check, one_of
from controller.money import EVEN, Ratio, ratio

TARGET = 11
DEALER_DRAWS_TO = 6
"""The dealer draws on this and less."""

RANK_VALUES = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
               "T": 10, "J": 10, "Q": 10, "K": 10}  # fmt: skip
"""An ace counts 11 as the first card and 1 later."""

CHOICES = frozenset({"hit", "stand"})

NATURAL_AGAINST: dict[tuple[str, bool], tuple[Outcome, str]] = {
    # option natural, whether the dealer has one too -> outcome of a player's natural, reason
    ("3:2", False): ("win", "natural"),
    ("3:2", True): ("push", "both have a natural"),
    ("6:5", False): ("win", "natural"),
    ("6:5", True): ("win", "natural, paid even against the dealer's"),
}

STANDING_AGAINST: dict[str, tuple[Outcome, str]] = {
    # the dealer's hand as a standing hand sees it -> outcome, reason
    "natural": ("lose", "dealer has a natural"),
    "bust": ("win", "dealer busts with {dealer}"),
    "lower": ("win", "{player} beats dealer's {dealer}"),
    "equal": ("push", "both have {player}"),
    "higher": ("lose", "dealer's {dealer} beats {player}"),
}

Count = Literal["2", "3", "4", "5", "6"]
"""Cards in a busted hand: seven are impossible."""

DEALER_BUST: dict[Count, str] = {"2": "3:1", "3": "4:1", "4": "10:1", "5": "50:1", "6": "500:1"}

HIT_UP_TO = {"one card": 6, "more cards": 5}
"""Best play: the highest total that is hit."""

_VALUES = {card: RANK_VALUES[card[0]] for card in DECK}


class EasyJackOptions(TableOptions):
    """The options of docs/games/easy-jack.md."""

    spots: ClassVar[tuple[str, ...]] = ("main", "dealer-bust")

    decks: Annotated[int, one_of(6, 8)] = Field(8, description="6, 8")
    natural: Literal["3:2", "6:5"] = Field("3:2", description='"3:2", "6:5"')
    peek: bool = Field(False, description="true, false")
    dealer_bust: dict[Count, PayRatio] = Field(
        default_factory=lambda: {count: ratio(pays) for count, pays in DEALER_BUST.items()},
        description='cards in the busted hand ("2" to "6") to ratio, as {"2": "3:1"}',
    )


class EasyJack:
    """Target 11, one card each, hit or stand only."""

    name = "easy-jack"
    title = "Easy Jack"
    spots = EasyJackOptions.spots
    deal: tuple[Dealt, ...] = ("seats", "dealer down")

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self.options = check(EasyJackOptions, options or {})
        self._natural = ratio(self.options.natural)
        self._dealer_bust: dict[int, Ratio] = {int(n): pays for n, pays in self.options.dealer_bust.items()}

    def total(self, cards: Sequence[Card]) -> int:
        """A hand's value: an ace is 11 alone, 1 in company."""
        return TARGET if self.natural(cards) else sum(map(_VALUES.__getitem__, cards))

    def bust(self, cards: Sequence[Card]) -> bool:
        """Whether the hand is over 11."""
        return self.total(cards) > TARGET

    def natural(self, cards: Sequence[Card]) -> bool:
        """Whether the first card, still alone, is an ace."""
        return len(cards) == 1 and cards[0][0] == "A"

    def choices(self, layout: Layout, turn: Turn) -> frozenset[str]:
        """Hit or stand under 11; a natural, 11 and a bust are passed over."""
        cards = layout.seats[turn.seat].hands[turn.hand].cards
        return CHOICES if self.total(cards) < TARGET else frozenset()

    def peeks(self, _layout: Layout) -> bool:
        """Whether the dealer looks for an ace before the players act."""
        return self.options.peek

    def dealer_draws(self, layout: Layout) -> bool:
        """Whether a wager depends on the dealer's total and the total is 6 or less."""
        return self.total(layout.dealer) <= DEALER_DRAWS_TO and self._dealer_matters(layout)

    def settle(self, layout: Layout) -> tuple[Settlement, ...]:
        """Seat by seat: main, then Dealer Bust."""
        return tuple(
            self._line(layout, Wagered(number, 1, spot, seat.wagers[spot]))
            for number, seat in layout.seats.items()
            for spot in self.spots
            if spot in seat.wagers
        )

    def advice(self, hand: Hand) -> str:
        """Hit 5 or less and a one-card 6, stand on more."""
        hits = HIT_UP_TO["one card" if len(hand.cards) == 1 else "more cards"]
        return "hit" if self.total(hand.cards) <= hits else "stand"

    def _dealer_matters(self, layout: Layout) -> bool:
        return any(
            "dealer-bust" in seat.wagers or self._live(seat.hands[0].cards) for seat in layout.seats.values()
        )

    def _live(self, cards: Sequence[Card]) -> bool:
        return not self.natural(cards) and not self.bust(cards)

    def _line(self, layout: Layout, what: Wagered) -> Settlement:
        if what.wager == "dealer-bust":
            return self._settle_dealer_bust(layout.dealer, what)
        return self._settle_main(layout.seats[what.seat].hands[0].cards, layout.dealer, what)

    def _settle_main(self, player: Sequence[Card], dealer: Sequence[Card], what: Wagered) -> Settlement:
        if self.bust(player):
            return lose(what, f"bust with {self.total(player)}")
        if self.natural(player):
            return self._settle_natural(self.natural(dealer), what)
        outcome, reason = STANDING_AGAINST[self._compare(player, dealer)]
        return self._outcome(
            outcome, what, EVEN, reason.format(player=self.total(player), dealer=self.total(dealer))
        )

    def _settle_natural(self, both: bool, what: Wagered) -> Settlement:
        outcome, reason = NATURAL_AGAINST[self.options.natural, both]
        return self._outcome(outcome, what, self._natural, reason)

    def _settle_dealer_bust(self, dealer: Sequence[Card], what: Wagered) -> Settlement:
        if self.natural(dealer):
            return lose(what, "dealer has a natural")
        if not self.bust(dealer):
            return lose(what, f"dealer stands on {self.total(dealer)}")
        pays = self._dealer_bust.get(len(dealer))
        if pays is None:
            return lose(what, f"a dealer bust with {len(dealer)} cards pays nothing")
        return win(what, pays, self.options.chip, f"dealer busts with {len(dealer)} cards")

    def _compare(self, player: Sequence[Card], dealer: Sequence[Card]) -> str:
        if self.natural(dealer):
            return "natural"
        if self.bust(dealer):
            return "bust"
        mine, theirs = self.total(player), self.total(dealer)
        return "equal" if mine == theirs else "lower" if theirs < mine else "higher"

    def _outcome(self, outcome: Outcome, what: Wagered, pays: Ratio, reason: str) -> Settlement:
        if outcome == "win":
            return win(what, pays, self.options.chip, reason)
        return push(what, reason) if outcome == "push" else lose(what, reason)
