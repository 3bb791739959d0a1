"""Quick Pay Blackjack with the Hedge Bet: the rules of docs/games/quick-pay.md."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from controller.games.bets.hedge import HEDGE_ALLOWED, SPOTS, Hedge, HedgeOption, default_table
from controller.games.bets.insurance import Insurance
from controller.games.blackjack import Blackjack, BlackjackOptions, HandRules
from controller.games.layout import Hand, Layout, Outcome, Seat, Settlement, Turn
from controller.games.options import PayRatio, check, one_of
from controller.games.settlement import HandWager, line, lose, push
from controller.games.strategy import QUICK_PAY, QUICK_PAY_STANDS_SOFT_17, WHOLE_GAME
from controller.money import EVEN, Ratio, ratio, text

BET = "bet"
SURRENDER_OR_PLAY = "surrender-or-play"

QuickPayTotal = Literal["18", "19", "20"]
QUICK_PAYS: dict[QuickPayTotal, str] = {"20": "1:1", "19": "1:2", "18": "push"}

PUSHING_TOTAL = 17
"""If the dealer has this total, every hand that is left pushes."""

FIRST_CHOICE = {True: frozenset({"play", "quick-pay"}), False: frozenset({"play"})}
"""The first choices besides hit, stand, double, split and surrender, by whether the total has a Quick Pay."""

SEPARATE_LINES: dict[str, tuple[tuple[Outcome, str], tuple[Outcome, str]]] = {
    # how the two wagers were decided apart -> bet, surrender-or-play
    "both": (("push", "both have a natural"), ("push", "both have a natural")),
    "player": (("win", "natural"), ("push", "natural")),
    "dealer": (("lose", "dealer has a natural"), ("push", "dealer has a natural")),
    "surrender": (("push", "surrendered"), ("lose", "surrendered")),
    "quick-pay": (("win", "Quick Pay"), ("push", "Quick Pay")),
    "quick-pay push": (("push", "Quick Pay"), ("push", "Quick Pay")),
}


def _default_hedge(data: Mapping[str, Any]) -> HedgeOption:
    """The default table for the chosen decks and soft-17 rule."""
    table = default_table(data["decks"], data["dealer_hits_soft_17"])
    return {up: dict(pays) for up, pays in table.items()}


class QuickPayOptions(BlackjackOptions):
    spots: ClassVar[tuple[str, ...]] = (BET, SURRENDER_OR_PLAY, *SPOTS)

    decks: Annotated[int, one_of(1, 2, 6, 8)] = Field(6, description="1, 2, 6, 8")
    natural_pays: PayRatio = Field(default_factory=lambda: ratio("6:5"), description='a ratio, as "6:5"')
    dealer_hits_soft_17: bool = Field(True, description="true, false")
    quick_pay: dict[QuickPayTotal, Literal["push"] | PayRatio] = Field(
        default_factory=lambda: {
            total: "push" if pays == "push" else ratio(pays) for total, pays in QUICK_PAYS.items()
        },
        description='two-card total ("18" to "20") to ratio or "push", as {"20": "1:1"}',
    )
    hedge: HedgeOption = Field(default_factory=_default_hedge, description=HEDGE_ALLOWED)


class QuickPay(Blackjack):
    """Two equal wagers: surrender one, be paid at once, or play for both."""

    name = "quick-pay"
    title = "Quick Pay Blackjack"
    spots = QuickPayOptions.spots
    hand_spots: tuple[str, ...] = (BET, SURRENDER_OR_PLAY)
    main = "final"
    window = "Hedge"
    waits = True
    by_seat = True
    options: QuickPayOptions

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        chosen = check(QuickPayOptions, options or {})
        manner = HandRules(max_hands=chosen.max_hands, dealer_hits_soft_17=chosen.dealer_hits_soft_17)
        hedge = Hedge(chosen.hedge, chosen.chip, self.has_natural)
        super().__init__(chosen, manner, (hedge,), Insurance(offered=False))
        hits = chosen.dealer_hits_soft_17
        self.charts = {WHOLE_GAME: QUICK_PAY if hits else QUICK_PAY_STANDS_SOFT_17}
        self._quick_pay = {int(total): pays for total, pays in chosen.quick_pay.items()}

    def faults(self, wagers: Mapping[str, int | None]) -> Iterator[str]:
        """Both wagers are needed and must be equal."""
        yield from super().faults(wagers)
        amounts = [wagers[spot] for spot in self.hand_spots if spot in wagers]
        if len(set(amounts)) > 1:
            amount, other_amount = map(_amount, amounts)
            yield f"{BET} {amount} and {SURRENDER_OR_PLAY} {other_amount} differ; allowed: equal wagers"

    def choices(self, layout: Layout, turn: Turn) -> frozenset[str]:
        """First surrender, Quick Pay or play; then the choices of any game on 21."""
        keys = super().choices(layout, turn)
        hand = layout.seats[turn.seat].hands[turn.hand]
        if not keys or not _fresh(hand):
            return keys
        return keys | FIRST_CHOICE[self.total(hand.cards) in self._quick_pay]

    def surrenders(self, hand: Hand) -> bool:
        """Whether the hand is not played yet."""
        return _fresh(hand)

    def on_hands(self, number: int, seat: Seat) -> Iterator[HandWager]:
        """One final wager for a hand that is played on, two separate ones for any other."""
        if not seat.hands:
            yield from self.on_spots(number, seat)
        for place, hand in enumerate(seat.hands, 1):
            if _played_on(hand):
                yield HandWager(number, place, self.main, hand.bet)
            else:
                yield from self.on_spots(number, seat)

    def hand_lines(self, layout: Layout) -> Iterator[Settlement]:
        """A final line for a hand that was played on, else a line for each of the two wagers."""
        for number, seat in layout.seats.items():
            for place, hand in enumerate(seat.hands, 1):
                if _played_on(hand):
                    yield self.decide(layout, seat, hand, HandWager(number, place, self.main, hand.bet))
                else:
                    yield from self._separate_lines(layout, hand, self.on_spots(number, seat))

    def decide(self, layout: Layout, _seat: Seat, hand: Hand, what: HandWager) -> Settlement:
        """Bust, then a dealer's 17, else the totals."""
        if self.bust(hand.cards):
            return lose(what, f"bust with {self.total(hand.cards)}")
        if self.total(layout.dealer) == PUSHING_TOTAL:
            return push(what, f"dealer has {PUSHING_TOTAL}")
        return self.compare_totals(hand, layout.dealer, what)

    def advice(self, layout: Layout, turn: Turn) -> str:
        """The chart for the chosen soft-17 rule."""
        return self.by_charts(layout, turn)

    def _separate_lines(
        self, layout: Layout, hand: Hand, wagers: Iterator[HandWager]
    ) -> Iterator[Settlement]:
        how, pays = self._result(layout, hand)
        for what, (outcome, reason) in zip(wagers, SEPARATE_LINES[how], strict=True):
            yield line(what, outcome, reason, self.options.chip, pays)

    def _result(self, layout: Layout, hand: Hand) -> tuple[str, Ratio]:
        """A key of SEPARATE_LINES, and what the bet is paid if it wins."""
        if hand.choice == "surrender":
            return "surrender", EVEN
        if hand.choice == "quick-pay":
            pays = self._quick_pay[self.total(hand.cards)]
            return ("quick-pay", pays) if isinstance(pays, Ratio) else ("quick-pay push", EVEN)
        naturals = self.has_natural(hand), self.natural(layout.dealer)
        return NATURALS[naturals], self.options.natural_pays


NATURALS = {(True, True): "both", (True, False): "player", (False, True): "dealer"}
"""By whether the player and the dealer have one."""


def _fresh(hand: Hand) -> bool:
    return hand.dealt and not hand.choice


def _played_on(hand: Hand) -> bool:
    """Whether both wagers have become one."""
    return hand.split > 0 or len(hand.cards) > 2 or hand.choice in PLAYING


PLAYING = frozenset({"play", "stand", "double"})
"""Choices that play on a hand of two cards."""


def _amount(cents: int | None) -> str:
    return "of unknown amount" if cents is None else text(cents)
