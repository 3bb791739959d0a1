"""The base of all games: wagers on a hand, side bets, and a dealer who draws where a wager needs it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from controller.cards import Card
from controller.games.bets import insurance
from controller.games.bets.added import open_bets
from controller.games.bets.bet import SideBet
from controller.games.bets.insurance import Insurance
from controller.games.layout import Hand, Layout, Seat, Settlement, Turn
from controller.games.options import TableOptions
from controller.games.settlement import HandWager, surrender
from controller.games.strategy import Chart, Place
from controller.money import sum_cents

Dealt = Literal["seats", "dealer up", "dealer down"]
"""A step of the deal: a card to each active seat in order, or one to the dealer."""
Invitation = Mapping[int, frozenset[str]]
"""By seat: what may be chosen or wagered there. A seat without any is left out."""

NO_KEYS: frozenset[str] = frozenset()
NO_CHARTS: Mapping[str, Chart] = {}
NO_INSURANCE = Insurance(offered=False)
LABELS = {
    "stand": "stands",
    "double": "doubled",
    "surrender": "surrendered",
    "even-money": "even money",
    "quick-pay": "quick pay",
}
"""By the hand's last key."""
DECIDED = frozenset({"surrender", "even-money", "quick-pay"})
"""Choices that decide a hand at once."""


class Game(ABC):
    """The rules of one game with its options: literal tables and pure functions. Games override the defaults.

    Amounts are cents; None is unknown.
    """

    contract: int = 0
    """The version of the interface that a plug-in is written for. The product's own games state none."""
    name: str
    title: str
    spots: tuple[str, ...]
    """The betting circles of a seat, in the order of the sensors. A wager on the first activates the seat.
    Those of side bets that an option adds come last."""
    hand_spots: tuple[str, ...] = ("main",)
    """The spots whose wagers are on the hand; they are doubled and split."""
    main: str = "main"
    """The name of a hand's settlement line."""
    window: str = ""
    """The name of the window for late wagers."""
    waits: bool = False
    """Whether that window stays open until the dealer closes it, while hands are played."""
    player_banked: bool = False
    """Whether a player at the table, or a third party in the house's name, banks the rounds."""
    by_seat: bool = False
    """Whether wagers are settled seat by seat, not all hands first and then one side bet after the other."""
    late: frozenset[str]
    """Spots that take no wager before the deal."""
    meters: tuple[str, ...]
    """Spots whose wagers play for a jackpot."""
    charts: Mapping[str, Chart] = NO_CHARTS
    """The charts of good play, by the part of the hands that each is for. Another chart changes `advice`."""
    options: TableOptions

    def __init__(
        self, options: TableOptions, side_bets: tuple[SideBet, ...], insured: Insurance = NO_INSURANCE
    ) -> None:
        self.options = options
        added = tuple(open_bets(self, options.bets))
        self.side_bets = (*side_bets, *added)
        self.spots = (*self.spots, *(spot for bet in added for spot in bet.spots))
        self.insured = insured
        self.late = frozenset(spot for bet in side_bets if bet.late for spot in bet.spots)
        self.meters = tuple(spot for bet in side_bets if bet.for_jackpot for spot in bet.spots)

    @property
    def windows(self) -> frozenset[str]:
        """The phases of a round that only some games have: insuring, offering."""
        insuring = self.insured.offered or self.insured.even_money
        return frozenset(phase for phase, has in (("insuring", insuring), ("offering", self.late)) if has)

    def faults(self, wagers: Mapping[str, int | None]) -> Iterator[str]:
        """Why betting cannot close with these wagers of one seat, each in words that follow "seat 3: "."""
        if missing := [spot for spot in self.hand_spots if spot not in wagers]:
            yield f"{', '.join(wagers)} needs a {missing[0]} wager"
            return
        for bet in self.side_bets:
            yield from bet.faults(wagers)

    def stake(self, wagers: Mapping[str, int | None]) -> int | None:
        """What is wagered on a seat's first hand, and on each hand that is split off."""
        return sum_cents(wagers[spot] for spot in self.hand_spots)

    @property
    @abstractmethod
    def deal(self) -> tuple[Dealt, ...]:
        """Who gets the first cards, in order."""

    def fixed_stake(self, spot: str) -> int | None:
        """Cents that a wager on a spot must have; None: the player chooses."""
        return next((bet.fixed_stake for bet in self.side_bets if spot in bet.spots), None)

    @abstractmethod
    def total(self, cards: Sequence[Card]) -> int:
        """A hand's value by its cards alone."""

    def count(self, cards: Sequence[Card]) -> str:
        """A hand's value as a dealer says it: "17" or "soft 17"."""
        return str(self.total(cards))

    @abstractmethod
    def bust(self, cards: Sequence[Card]) -> bool: ...

    @abstractmethod
    def natural(self, cards: Sequence[Card]) -> bool:
        """Whether the first cards are a natural."""

    def has_natural(self, hand: Hand) -> bool:
        """Whether the hand is a natural. A hand that was split is not."""
        return not hand.split and self.natural(hand.cards)

    def label(self, hand: Hand) -> str:
        """What a hand is, in a word or two for people; empty where its total says everything."""
        if self.has_natural(hand):
            return self.natural_label(hand)
        return "bust" if self.bust(hand.cards) else LABELS.get(hand.choice, "")

    def natural_label(self, _hand: Hand) -> str:
        return "natural"

    def insures(self, layout: Layout) -> Invitation:
        """The insurance and even money that seats may still choose before the peek."""
        keys = {
            number: self.insured.keys(layout, number, natural=self.has_natural(seat.hands[0]))
            for number, seat in layout.seats.items()
        }
        return {number: offered for number, offered in keys.items() if offered}

    def insurance(self, layout: Layout, seat: int, cents: int | None) -> int | None:
        """What a seat's insurance costs: `cents`, or without them what the rules set. Raises Forbidden."""
        return self.insured.amount(self.stake(layout.seats[seat].wagers), self.options.chip, cents)

    @abstractmethod
    def peeks(self, layout: Layout) -> bool:
        """Whether the dealer checks for a natural before the players act."""

    def invites(self, layout: Layout) -> Invitation:
        """The spots that open for wagers after the deal."""
        spots = {
            number: NO_KEYS.union(*(bet.invites(layout, seat) for bet in self.side_bets))
            for number, seat in layout.seats.items()
        }
        return {number: opened for number, opened in spots.items() if opened}

    def invites_after_split(self, layout: Layout, turn: Turn) -> Invitation:
        """The spots that open for the new hand when the hand at `turn` is split."""
        opened = NO_KEYS.union(*(bet.invites_after_split(layout) for bet in self.side_bets))
        return {turn.seat: opened} if opened else {}

    @abstractmethod
    def choices(self, layout: Layout, turn: Turn) -> frozenset[str]:
        """The keys that the player may choose from. A hand without any is passed over."""

    @abstractmethod
    def dealer_takes(self, cards: Sequence[Card]) -> bool:
        """Whether a dealer who must complete the hand draws on these cards."""

    def dealer_draws(self, layout: Layout) -> bool:
        """Whether the dealer, with all cards face up, draws one more."""
        return self.dealer_takes(layout.dealer) and (
            self.hands_left(layout) or any(bet.draws_out(layout) for bet in self.side_bets)
        )

    def hands_left(self, layout: Layout) -> bool:
        """Whether a hand waits for the dealer's."""
        return any(self.live(hand) for seat in layout.seats.values() for hand in seat.hands)

    def live(self, hand: Hand) -> bool:
        """Whether the hand waits for the dealer's: it is neither decided nor a natural nor a bust."""
        return hand.choice not in DECIDED and not self.has_natural(hand) and not self.bust(hand.cards)

    def wagered(self, layout: Layout) -> Iterator[HandWager]:
        """Every wager that stands, named as in settlement lines."""
        for number, seat in layout.seats.items():
            yield from self.on_hands(number, seat)
            for spot, cents in seat.wagers.items():
                if spot not in self.hand_spots:
                    yield HandWager(number, 1, spot, cents)
            for place, hand in enumerate(seat.hands, 1):
                for spot, cents in hand.wagers.items():
                    yield HandWager(number, place, spot, cents)

    def on_hands(self, number: int, seat: Seat) -> Iterator[HandWager]:
        """The wagers on a seat's hands; before the deal, those on its spots."""
        if not seat.hands:
            yield from self.on_spots(number, seat)
        for place, hand in enumerate(seat.hands, 1):
            yield HandWager(number, place, self.main, hand.bet)

    def on_spots(self, number: int, seat: Seat) -> Iterator[HandWager]:
        """The wagers on the spots that make up a seat's hand."""
        return (
            HandWager(number, 1, spot, seat.wagers[spot]) for spot in self.hand_spots if spot in seat.wagers
        )

    def settle(self, layout: Layout) -> tuple[Settlement, ...]:
        """One line for each wager and hand, in the order in which they are taken and paid."""
        lines = [*self.hand_lines(layout)]
        lines += insurance.settle(layout, self.options.chip, natural=self.natural(layout.dealer))
        for bet in self.side_bets:
            lines += bet.settle(layout)
        return tuple(sorted(lines, key=_seat) if self.by_seat else lines)

    def shares(self, layout: Layout) -> Iterator[Settlement]:
        """The lines of won jackpot shares, which follow from the first cards and the up-card."""
        lines = (line for bet in self.side_bets if bet.for_jackpot for line in bet.settle(layout))
        return (line for line in lines if line.pays and line.pays.endswith("%"))

    def hand_lines(self, layout: Layout) -> Iterator[Settlement]:
        for number, seat in layout.seats.items():
            for place, hand in enumerate(seat.hands, 1):
                what = HandWager(number, place, self.main, hand.bet)
                if hand.choice == "surrender":
                    yield surrender(what, self.options.chip, "surrendered")
                else:
                    yield self.decide(layout, seat, hand, what)

    @abstractmethod
    def decide(self, layout: Layout, seat: Seat, hand: Hand, what: HandWager) -> Settlement:
        """The line of one hand that was not surrendered."""

    @abstractmethod
    def advice(self, layout: Layout, turn: Turn) -> str:
        """The key that a good player asks for, one of `choices`."""

    def charted_at(self, _layout: Layout, _turn: Turn) -> Place | None:
        """Where `charts` say how the hand is played; None if they do not."""
        return None


def _seat(line: Settlement) -> int:
    return line.seat
